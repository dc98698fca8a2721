// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace replicant::cli {

/// The columns that a line of ours fills: its characters without the escape sequences.
[[nodiscard]] std::size_t visible_width(std::string_view line);

/// The last lines of a terminal, which change in place while others scroll by above them.
///
/// Between calls the cursor stands below them, where a shell can go on: however the process ends,
/// the terminal is left in order. Any thread may call; a call blocks while the terminal does.
class live_lines {
public:
  explicit live_lines(int terminal) : terminal_{terminal} {}

  /// Takes the lines away.
  ~live_lines();

  live_lines(const live_lines&) = delete;
  live_lines& operator=(const live_lines&) = delete;

  /// Writes text, which ends with its last line, above the lines.
  void write(std::string_view text);

  /// Replaces the lines. Of more than the terminal has room for, the first are shown.
  void show(std::vector<std::string> lines);

private:
  /// What takes the lines away as they are now; the terminal may have another size by now.
  [[nodiscard]] std::string erasing() const;
  [[nodiscard]] std::string drawing() const;
  void send(std::string_view bytes) const;

  int terminal_;
  std::mutex mutex_;
  std::vector<std::string> lines_;
};

} // namespace replicant::cli
