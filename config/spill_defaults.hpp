// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/config/settings.hpp"

#include <optional>
#include <string>

namespace replicant {

/// Puts in what a pipeline leaves open about spilling: the folder `spill` in `state_dir` for one
/// that is not named, and a bound that is not below `max_inflight_lag`. Without a `state_dir` the
/// folder stays empty, and nothing can be spilled: a transaction that has to be halts the pipeline
/// as `spill_io_failed`.
void complete_spill(pipeline_settings& pipeline, const std::optional<std::string>& state_dir);

} // namespace replicant
