// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/lsn.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace replicant {

/// Where a timeline that a server has left behind ends for it: what the server that wrote that
/// timeline has written from there on is not in its WAL.
struct timeline_end {
  std::uint32_t timeline = 0;
  lsn end{}; ///< Exclusive.

  friend bool operator==(const timeline_end&, const timeline_end&) = default;
};

/// Reads a history file, as TIMELINE_HISTORY tells it: the timelines before the one that it is
/// asked for, oldest first. @returns nothing for a text that no server writes.
[[nodiscard]] std::optional<std::vector<timeline_end>>
parse_timeline_history(std::string_view content);

} // namespace replicant
