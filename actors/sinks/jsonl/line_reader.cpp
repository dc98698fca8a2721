// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/line_reader.hpp"

namespace replicant {

namespace {

constexpr std::size_t block_bytes = std::size_t{256} * 1024;

/// Without an early exit, so that the compiler can look at many bytes at once.
bool holds_control_byte(std::string_view text) {
  unsigned found = 0;
  for (const auto c : text)
    found |= static_cast<unsigned>(static_cast<unsigned char>(c) < 0x20);
  return found != 0;
}

} // namespace

line_reader::line_reader(const readable_file& file, std::uint64_t from)
  : file_{&file}, block_(block_bytes), read_to_{from}, offset_{from} {}

result<bool> line_reader::next(crc32c& sum) {
  line_.head.clear();
  line_.tail.clear();
  line_.bytes = 0;
  line_.printable = true;
  for (;;) {
    if (rest_.empty()) {
      const auto block = file_->read(read_to_, block_);
      if (!block)
        return failure(block.error());
      if (block->empty())
        return false;
      rest_ = *block;
      read_to_ += block->size();
    }
    const auto newline = rest_.find('\n');
    const auto ends = newline != std::string_view::npos;
    const auto piece = rest_.substr(0, ends ? newline + 1 : rest_.size());
    sum.add(piece);
    line_.bytes += piece.size();
    take(ends ? piece.substr(0, newline) : piece);
    rest_.remove_prefix(piece.size());
    if (ends) {
      offset_ += line_.bytes;
      return true;
    }
  }
}

void line_reader::take(std::string_view piece) {
  line_.head.append(piece.substr(0, kept_head - line_.head.size()));
  if (holds_control_byte(piece))
    line_.printable = false;
  if (piece.size() >= kept_tail) {
    line_.tail.assign(piece.substr(piece.size() - kept_tail));
    return;
  }
  line_.tail.append(piece);
  if (line_.tail.size() > kept_tail)
    line_.tail.erase(0, line_.tail.size() - kept_tail);
}

} // namespace replicant
