// SPDX-License-Identifier: MIT
#include "replicant/core/telemetry/pipeline_status.hpp"

namespace replicant {

std::string_view to_string(pipeline_phase phase) {
  switch (phase) {
    case pipeline_phase::connecting: return "connecting";
    case pipeline_phase::streaming: return "streaming";
    case pipeline_phase::waiting: return "waiting";
    case pipeline_phase::stopping: return "stopping";
    case pipeline_phase::stopped: return "stopped";
    case pipeline_phase::halted: return "halted";
  }
  return "unknown";
}

} // namespace replicant
