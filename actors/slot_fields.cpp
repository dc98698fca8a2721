// SPDX-License-Identifier: MIT
#include "replicant/actors/slot_fields.hpp"

#include <nlohmann/json.hpp>

namespace replicant {

nlohmann::ordered_json slot_fields(const slot_standing& slot) {
  using json = nlohmann::ordered_json;
  return {{"wal_status", to_string(slot.wal_status)},
          {"retained_bytes", slot.retained_bytes},
          {"limit_bytes", slot.limit_bytes ? json(*slot.limit_bytes) : json{}},
          {"safe_wal_size", slot.safe_bytes ? json(*slot.safe_bytes) : json{}}};
}

} // namespace replicant
