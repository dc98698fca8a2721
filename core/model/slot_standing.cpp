// SPDX-License-Identifier: MIT
#include "replicant/core/model/slot_standing.hpp"

#include <algorithm>

namespace replicant {

std::string_view to_string(slot_wal_status status) {
  switch (status) {
    case slot_wal_status::unknown: return "unknown";
    case slot_wal_status::reserved: return "reserved";
    case slot_wal_status::extended: return "extended";
    case slot_wal_status::unreserved: return "unreserved";
    case slot_wal_status::lost: return "lost";
  }
  return "unknown";
}

slot_wal_status slot_wal_status_of(std::string_view text) {
  const auto* const found = std::ranges::find_if(
    slot_wal_statuses, [text](slot_wal_status one) { return to_string(one) == text; });
  return found == slot_wal_statuses.end() ? slot_wal_status::unknown : *found;
}

} // namespace replicant
