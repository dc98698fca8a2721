// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/fault.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>

namespace replicant {

/// A fault as the fields that logs and status documents show: reason, explanation, fault, sqlstate,
/// system_error, fault_position. What is not known is null, and without a fault all are.
[[nodiscard]] nlohmann::ordered_json fault_fields(const std::optional<fault>& what);

} // namespace replicant
