// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/files/crc32c.hpp"
#include "replicant/actors/sinks/jsonl/readable_file.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace replicant {

/// What is kept of a line, which may be longer than memory.
struct seen_line {
  std::string head;        ///< The whole line up to `line_reader::kept_head` bytes.
  std::string tail;        ///< The last `line_reader::kept_tail` bytes at most.
  std::uint64_t bytes = 0; ///< With the newline.
  bool printable = true;   ///< No control byte, which a line of ours never holds.
};

/// Walks over the complete lines of a file, once, in bounded memory.
class line_reader {
public:
  static constexpr std::size_t kept_head = 4096;
  static constexpr std::size_t kept_tail = 64;

  line_reader(const readable_file& file, std::uint64_t from);

  /// Reads the next line and adds it, newline included, to `sum`.
  /// @returns false when no complete line is left; `line` then holds what follows the last one.
  /// @fault sink_unreadable
  [[nodiscard]] result<bool> next(crc32c& sum);

  [[nodiscard]] const seen_line& line() const { return line_; }

  /// Where the next line begins.
  [[nodiscard]] std::uint64_t offset() const { return offset_; }

private:
  void take(std::string_view piece);

  const readable_file* file_;
  std::vector<char> block_;
  std::string_view rest_; ///< Of the block: not walked over yet.
  std::uint64_t read_to_; ///< Where the next block begins.
  std::uint64_t offset_;
  seen_line line_;
};

} // namespace replicant
