// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/null/null_sink.hpp"

#include <algorithm>
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
    constexpr auto prefix_kind = static_cast<cell_kind>(0xFE);
    constexpr auto content_kind = static_cast<cell_kind>(0xFF);
    const std::array parts{cell{prefix_kind, message.prefix}, cell{content_kind, message.content}};
    add_cells(parts);
    ++counts_.messages;
  }

  void sum_up() {
    counts_.checksum.add(piece_);
    piece_.clear();
  }

private:
  static constexpr std::size_t announced = 1 + sizeof(std::uint64_t);

  /// Writes what follows' kind and size, so that no two different sequences look alike.
  static char* announce(char* at, std::uint8_t kind, std::uint64_t size) {
    *at = static_cast<char>(kind);
    std::memcpy(at + 1, &size, sizeof size);
    return at + announced;
  }

  void add(tuple row) {
    constexpr std::uint8_t row_kind = 0xFD;
    std::array<char, announced> start{};
    announce(start.data(), row_kind, row.size());
    piece_.append(start.data(), start.size());
    add_cells(row);
  }

  /// Grows once for all of them: a call for every cell would cost more than the bytes.
  void add_cells(tuple cells) {
    std::size_t bytes = 0;
    for (const auto& one : cells)
      bytes += one.bytes.size();
    const auto before = piece_.size();
    piece_.resize(before + cells.size() * announced + bytes);
    auto* at = piece_.data() + before;
    for (const auto& one : cells) {
      at = announce(at, static_cast<std::uint8_t>(one.kind), one.bytes.size());
      at = std::copy(one.bytes.begin(), one.bytes.end(), at);
    }
    counts_.bytes += bytes;
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
