// SPDX-License-Identifier: MIT
#include "replicant/config/nearest_name.hpp"

#include <algorithm>
#include <numeric>

namespace replicant {

namespace {

/// How many single-character edits lie between two names.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    auto diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const auto replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j - 1] + 1, row[j] + 1, replaced});
    }
  }
  return row.back();
}

/// How unlike two names are; one cut short is only a little unlike the whole.
std::size_t difference(std::string_view unknown, std::string_view known) {
  constexpr std::size_t least_part = 4;
  constexpr std::size_t longest_compared = 64;
  if (unknown.size() >= least_part && known.find(unknown) != std::string_view::npos)
    return 2;
  return edit_distance(unknown.substr(0, longest_compared), known);
}

} // namespace

std::optional<std::string_view> nearest_name(std::string_view unknown,
                                             const std::vector<std::string_view>& known) {
  std::optional<std::string_view> best;
  std::size_t least = std::max<std::size_t>(unknown.size() / 2, 2) + 1;
  for (const auto& name : known)
    if (const auto distance = difference(unknown, name); distance < least) {
      least = distance;
      best = name;
    }
  return best;
}

} // namespace replicant
