// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/null/null_sink.hpp"

#include <array>
#include <cstring>
#include <string_view>

namespace replicant {

namespace {

/// The checksum is taken of whole pieces: a call for every cell would cost more than the rest.
constexpr std::size_t piece_bytes = std::size_t{64} * 1024;

/// Counts, and puts the bytes that enter the checksum behind each other.
class counter {
public:
  counter(null_counts& counts, std::string& piece) : counts_{counts}, piece_{piece} {
    piece_.clear();
  }

  void add(const change& one) {
    const std::array<char, 4> shape{static_cast<char>(one.op), static_cast<char>(one.old_kind),
                                    static_cast<char>(one.cascade),
                                    static_cast<char>(one.restart_identity)};
    piece_.append(shape.data(), shape.size());
    add(one.record);
    add(one.old);
    ++counts_.changes;
    if (piece_.size() >= piece_bytes)
      sum_up();
  }

  void add(const logical_message& message) {
    constexpr std::uint8_t prefix_kind = 0xFE;
    constexpr std::uint8_t content_kind = 0xFF;
    add(prefix_kind, message.prefix);
    add(content_kind, message.content);
    ++counts_.messages;
  }

  void sum_up() {
    counts_.checksum.add(piece_);
    piece_.clear();
  }

private:
  /// Adds what follows' kind and size, so that no two different sequences look alike.
  void announce(std::uint8_t kind, std::uint64_t size) {
    std::array<char, 1 + sizeof size> prefix{static_cast<char>(kind)};
    std::memcpy(prefix.data() + 1, &size, sizeof size);
    piece_.append(prefix.data(), prefix.size());
  }

  void add(std::uint8_t kind, std::string_view bytes) {
    announce(kind, bytes.size());
    piece_.append(bytes);
    counts_.bytes += bytes.size();
  }

  void add(tuple row) {
    constexpr std::uint8_t row_kind = 0xFD;
    announce(row_kind, row.size());
    for (const auto& cell : row)
      add(static_cast<std::uint8_t>(cell.kind), cell.bytes);
  }

  null_counts& counts_;
  std::string& piece_;
};

} // namespace

result<void> null_sink::handle_transaction(const transaction& txn) {
  auto counts = totals_->read();
  counter sums{counts, piece_};
  for (const auto& one : txn.events())
    std::visit([&sums](const auto& each) { sums.add(each); }, one);
  sums.sum_up();
  ++counts.transactions;
  totals_->write(counts);
  return {};
}

result<void> null_sink::handle_message(const logical_message& message) {
  auto counts = totals_->read();
  counter sums{counts, piece_};
  sums.add(message);
  sums.sum_up();
  totals_->write(counts);
  return {};
}

} // namespace replicant
