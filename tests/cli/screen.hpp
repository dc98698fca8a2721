// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace replicant::test {

/// What a terminal of this size shows after some bytes: as much of a terminal as the program uses.
class screen {
public:
  screen(std::size_t width, std::size_t height) : width_{width}, rows_(height) {}

  /// Takes bytes; escape sequences have to be whole.
  void feed(std::string_view bytes);

  /// Everything that can be seen and that has scrolled out, without blanks at the ends of lines and
  /// without the empty lines below the cursor.
  [[nodiscard]] std::vector<std::string> lines() const;

  [[nodiscard]] std::size_t column() const { return column_; }

  /// Escape sequences that are unknown here.
  [[nodiscard]] std::size_t strange() const { return strange_; }

private:
  void put(char c);
  void line_feed();
  void obey(std::string_view parameters, char command);

  std::size_t width_;
  std::vector<std::string> gone_;
  std::vector<std::string> rows_;
  std::size_t row_ = 0;
  std::size_t column_ = 0;
  std::size_t strange_ = 0;
};

} // namespace replicant::test
