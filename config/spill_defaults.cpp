// SPDX-License-Identifier: MIT
#include "replicant/config/spill_defaults.hpp"

#include <algorithm>

namespace replicant {

void complete_spill(pipeline_settings& pipeline, const std::optional<std::string>& state_dir) {
  auto& spill = pipeline.streaming.spill;
  if (!spill)
    return;
  if (spill->dir.empty() && state_dir && !state_dir->empty())
    spill->dir = *state_dir + "/spill";
  spill->max_spill_bytes = std::max(spill->max_spill_bytes, pipeline.max_inflight_lag);
}

} // namespace replicant
