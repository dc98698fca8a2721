// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>

namespace replicant {

/// What the spill files of one area take on disk together, and how much that may be. For any
/// threads at the same time.
class spill_space {
public:
  explicit spill_space(std::uint64_t limit) : limit_{limit} {}

  /// Takes `bytes` more, or nothing when that would be more than may be.
  [[nodiscard]] bool take(std::uint64_t bytes) {
    auto taken = taken_.load(std::memory_order_relaxed);
    do {
      if (bytes > limit_ - taken)
        return false;
    } while (!taken_.compare_exchange_weak(taken, taken + bytes, std::memory_order_relaxed));
    return true;
  }

  void give_back(std::uint64_t bytes) { taken_.fetch_sub(bytes, std::memory_order_relaxed); }

  [[nodiscard]] std::uint64_t taken() const { return taken_.load(std::memory_order_relaxed); }

  [[nodiscard]] std::uint64_t limit() const { return limit_; }

private:
  std::uint64_t limit_;
  std::atomic<std::uint64_t> taken_{0};
};

} // namespace replicant
