// SPDX-License-Identifier: MIT
#include "replicant/core/assembly/event_block.hpp"

#include <array>
#include <cstring>

namespace replicant {

void event_block::append(const kept_event& one) {
  const std::array numbers{static_cast<std::uint32_t>(one.body.size()), one.xid, one.table};
  std::array<char, header_bytes> header{};
  std::memcpy(header.data(), numbers.data(), sizeof numbers);
  header.back() = one.tag;
  bytes_.insert(bytes_.end(), header.begin(), header.end());
  bytes_.insert(bytes_.end(), one.body.begin(), one.body.end());
}

std::optional<kept_event> event_block_reader::next() {
  std::array<std::uint32_t, 3> numbers{};
  if (rest_.size() < event_block::header_bytes)
    return std::nullopt;
  std::memcpy(numbers.data(), rest_.data(), sizeof numbers);
  const auto& [length, xid, table] = numbers;
  const auto tag = rest_[event_block::header_bytes - 1];
  rest_.remove_prefix(event_block::header_bytes);
  if (rest_.size() < length)
    return std::nullopt;
  const auto body = rest_.substr(0, length);
  rest_.remove_prefix(length);
  return kept_event{tag, xid, table, body};
}

} // namespace replicant
