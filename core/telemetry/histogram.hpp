// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace replicant {

/// How often which sizes were seen, by upper bounds that ascend; one more place is for what is
/// above the last. Takes no memory beside itself.
template <std::size_t Count>
class histogram {
public:
  using limits = std::array<std::uint64_t, Count>;

  /// `bounds` has to outlive it.
  explicit constexpr histogram(const limits& bounds) : bounds_{&bounds} {}

  void add(std::uint64_t size) {
    const auto place = std::ranges::lower_bound(*bounds_, size) - bounds_->begin();
    ++seen_[static_cast<std::size_t>(place)];
    sum_ += size;
  }

  [[nodiscard]] const limits& bounds() const { return *bounds_; }

  /// How many were not above the bound of this place, counted from zero; behind the last: all.
  [[nodiscard]] std::uint64_t up_to(std::size_t place) const {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i <= place; ++i)
      count += seen_[i];
    return count;
  }

  [[nodiscard]] std::uint64_t count() const { return up_to(Count); }

  /// Of all sizes.
  [[nodiscard]] std::uint64_t sum() const { return sum_; }

private:
  const limits* bounds_;
  std::array<std::uint64_t, Count + 1> seen_{};
  std::uint64_t sum_ = 0;
};

} // namespace replicant
