// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/config/reading.hpp"
#include "replicant/config/settings.hpp"

#include <string>
#include <vector>

namespace replicant {

/// Reads [pipeline.checkpoint_store].
[[nodiscard]] checkpoint_store_settings read_store(const node& value, reading& log);

/// Notes what a pipeline has that does not go together with its checkpoint store.
void judge_store(const pipeline_settings& pipeline, reading& log);

/// Every key of the table and of those below it.
[[nodiscard]] std::vector<std::string> known_store_keys();

} // namespace replicant
