// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

namespace replicant {

/// One character of a text, or one byte that belongs to none.
struct character {
  std::string_view bytes;
  char32_t point = 0; ///< 0 for such a byte.
  /// Shows itself on a terminal and leaves everything around it alone: no control, no separator of
  /// lines, nothing that turns the direction of writing or cannot be seen.
  bool visible = false;
};

/// The character that `text`, which is not empty, begins with. The only rule for what may reach a
/// terminal.
[[nodiscard]] character first_character(std::string_view text);

/// Code points from `first` to `last`.
struct point_range {
  char32_t first;
  char32_t last;
};

/// Whether `point` is in one of `ranges`, which stand in order.
[[nodiscard]] constexpr bool is_in(std::span<const point_range> ranges, char32_t point) {
  const auto found = std::ranges::lower_bound(ranges, point, {}, &point_range::last);
  return found != ranges.end() && point >= found->first;
}

} // namespace replicant
