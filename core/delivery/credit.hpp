// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

namespace replicant {

/// Bounds the payload bytes that are read and not yet durable. Without credit the connection stops
/// reading; it never stops for bytes that nothing but more reading can make deliverable.
class credit {
public:
  explicit credit(std::uint64_t limit) : limit_{limit} {}

  /// A chunk of `bytes` leaves for the assembler.
  void charge(std::uint64_t bytes) { in_flight_ += bytes; }

  /// The assembler keeps `bytes` of what was charged for a transaction that is still open.
  void hold(std::uint64_t bytes) { open_ = bytes; }

  /// `bytes` became durable, or turned out to hold nothing to deliver.
  void release(std::uint64_t bytes) { in_flight_ -= bytes; }

  /// Below the bound, or only reading helps.
  [[nodiscard]] bool may_read() const { return in_flight_ < limit_ || waits_for_rest(); }

  /// The sink has caught up: what it still has to do is less than half of what is not open.
  [[nodiscard]] bool recovered() const {
    return waits_for_rest() || in_flight_ - open_ < (limit_ - std::min(open_, limit_)) / 2;
  }

  /// Everything in flight belongs to the open transaction: the sink has nothing to do.
  [[nodiscard]] bool waits_for_rest() const { return in_flight_ <= open_; }

  [[nodiscard]] std::uint64_t in_flight() const { return in_flight_; }

private:
  std::uint64_t limit_;
  std::uint64_t in_flight_ = 0;
  std::uint64_t open_ = 0;
};

} // namespace replicant
