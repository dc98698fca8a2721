// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/byte_reader.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace replicant {

/// The length that stands before a NULL.
inline constexpr std::int32_t null_length = -1;

/// The most dimensions that PostgreSQL gives an array (MAXDIM).
inline constexpr std::size_t most_dimensions = 6;

/// The dimensions of an array, which stand before its elements.
class array_frame {
public:
  struct dimension {
    std::uint32_t size = 0;
    std::int32_t first = 0;
    std::size_t elements = 0; ///< In one slice along it: between one pair of braces.
  };

  /// Reads them; fails `in` when there is not room for so many elements behind them.
  explicit array_frame(byte_reader& in);

  [[nodiscard]] std::size_t elements() const { return elements_; }

  [[nodiscard]] std::span<const dimension> dimensions() const {
    return std::span{dimensions_}.first(count_);
  }

  /// Appends the bounds, which are only told when one does not begin at 1.
  void append_bounds(std::string& out) const;

  /// How many braces open before the element at `index`; as many close behind the one before it.
  [[nodiscard]] std::size_t braces_at(std::size_t index) const;

private:
  [[nodiscard]] bool measure(std::size_t most);

  std::array<dimension, most_dimensions> dimensions_{};
  std::size_t count_ = 0;
  std::size_t elements_ = 0;
};

enum class range_flag : std::uint8_t {
  empty = 1,
  lower_inclusive = 2,
  upper_inclusive = 4,
  lower_infinite = 8, ///< There is no lower bound.
  upper_infinite = 16,
};

/// The flags of a range, which stand before its bounds.
class range_frame {
public:
  explicit range_frame(byte_reader& in) : flags_{in.u8()} {
    constexpr std::uint8_t all_flags = 31;
    if (flags_ > all_flags)
      in.fail();
  }

  [[nodiscard]] bool has(range_flag flag) const {
    return (flags_ & static_cast<std::uint8_t>(flag)) != 0;
  }

private:
  std::uint8_t flags_;
};

} // namespace replicant
