// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace replicant {

/// Something that the library has to remember over restarts, beside the position: names of tables
/// and columns, and numbers, never a value of a row. To whoever keeps it, a name and bytes.
struct state_entry {
  std::string name;    ///< Lower-case letters, digits and full stops; at most 63 of them.
  std::string content; ///< Any bytes. None at all: forget the entry of this name.

  friend bool operator==(const state_entry&, const state_entry&) = default;
};

/// Puts `entry` in the place of the one of its name, or behind all.
inline void put(std::vector<state_entry>& into, state_entry entry) {
  const auto place = std::ranges::find(into, entry.name, &state_entry::name);
  if (place != into.end())
    *place = std::move(entry);
  else
    into.push_back(std::move(entry));
}

/// How the names of entries are made.
namespace state_name {
/// Followed by a table's OID: the shape in which it was last delivered
/// (core/assembly/schema_state.hpp).
inline constexpr std::string_view schema = "schema.";

/// The number of the timeline that leads through the position (core/delivery/timeline.hpp).
inline constexpr std::string_view timeline = "timeline";
} // namespace state_name

} // namespace replicant
