// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/telemetry/pipeline_status.hpp"

#include <string>
#include <vector>

namespace replicant::cli {

/// A line for each pipeline that does not stream: its name, its state, and the reason where that is
/// a failure: "shop: halted slot_lost". `expected` are the names of all, of which some may not have
/// been started yet, or have not answered.
[[nodiscard]] std::vector<std::string>
readiness_lines(const std::vector<std::string>& expected,
                const std::vector<pipeline_status>& pipelines);

} // namespace replicant::cli
