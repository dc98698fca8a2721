// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/config/reading.hpp"
#include "replicant/config/settings.hpp"

#include <string>
#include <vector>

namespace replicant {

/// Reads [pipeline.streaming].
[[nodiscard]] streaming_settings read_streaming(const node& value, reading& log);

/// Notes what a pipeline has that does not go together with how much it may spill.
void judge_streaming(const pipeline_settings& pipeline, reading& log);

/// Every key of the table and of the one below it.
[[nodiscard]] std::vector<std::string> known_streaming_keys();

} // namespace replicant
