// SPDX-License-Identifier: MIT
#include "replicant/config/document.hpp"

#include <algorithm>
#include <array>

namespace replicant {

const entry* find(const node_table& table, std::string_view key) {
  const auto found = std::ranges::find(table, key, &entry::key);
  return found == table.end() ? nullptr : &*found;
}

std::string_view describe(const node& value) {
  // In the order of the variant's alternatives.
  constexpr std::array<std::string_view, 6> names{
    "a string", "an integer", "true or false",
    "a list",   "a table",    "a number with a point, a date or a time"};
  static_assert(names.size() == std::variant_size_v<decltype(node::content)>);
  return names[value.content.index()];
}

} // namespace replicant
