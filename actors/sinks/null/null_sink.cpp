// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/null/null_sink.hpp"

#include <array>
#include <cstring>
#include <string_view>

namespace replicant {

namespace {

/// Adds what follows' kind and size, so that no two different sequences look alike.
void announce(null_counts& counts, std::uint8_t kind, std::uint64_t size) {
  std::array<char, 1 + sizeof size> prefix{static_cast<char>(kind)};
  std::memcpy(prefix.data() + 1, &size, sizeof size);
  counts.checksum.add({prefix.data(), prefix.size()});
}

void add(null_counts& counts, std::uint8_t kind, std::string_view bytes) {
  announce(counts, kind, bytes.size());
  counts.checksum.add(bytes);
  counts.bytes += bytes.size();
}

void add(null_counts& counts, tuple row) {
  constexpr std::uint8_t row_kind = 0xFD;
  announce(counts, row_kind, row.size());
  for (const auto& cell : row)
    add(counts, static_cast<std::uint8_t>(cell.kind), cell.bytes);
}

void add(null_counts& counts, const change& one) {
  const std::array<char, 4> shape{static_cast<char>(one.op), static_cast<char>(one.old_kind),
                                  static_cast<char>(one.cascade),
                                  static_cast<char>(one.restart_identity)};
  counts.checksum.add({shape.data(), shape.size()});
  add(counts, one.record);
  add(counts, one.old);
  ++counts.changes;
}

void add(null_counts& counts, const logical_message& message) {
  constexpr std::uint8_t prefix_kind = 0xFE;
  constexpr std::uint8_t content_kind = 0xFF;
  add(counts, prefix_kind, message.prefix);
  add(counts, content_kind, message.content);
  ++counts.messages;
}

} // namespace

result<void> null_sink::handle_transaction(const transaction& txn) {
  auto counts = totals_->read();
  for (const auto& one : txn.events())
    std::visit([&counts](const auto& each) { add(counts, each); }, one);
  ++counts.transactions;
  totals_->write(counts);
  return {};
}

result<void> null_sink::handle_message(const logical_message& message) {
  auto counts = totals_->read();
  add(counts, message);
  totals_->write(counts);
  return {};
}

} // namespace replicant
