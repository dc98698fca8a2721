// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/telemetry/pipeline_status.hpp"

#include <string>
#include <vector>

namespace replicant::cli {

/// "3 pipelines: 2 streaming, 1 halted".
[[nodiscard]] std::string status_summary(const std::vector<pipeline_status>& all);

} // namespace replicant::cli
