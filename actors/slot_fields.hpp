// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/slot_standing.hpp"

#include <nlohmann/json_fwd.hpp>

namespace replicant {

/// What the server told of a slot as the fields that logs and status documents show: wal_status,
/// retained_bytes, limit_bytes, safe_wal_size, in bytes; what has no bound is null.
[[nodiscard]] nlohmann::ordered_json slot_fields(const slot_standing& slot);

} // namespace replicant
