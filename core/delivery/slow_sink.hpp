// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace replicant {

/// What happens to a pipeline whose sink does not keep up.
enum class slow_sink_policy : std::uint8_t {
  pace, ///< Reading rests until the sink has caught up; the connection stays alive.
  halt, ///< The pipeline halts when it has been at the bound for a second (`sink_too_slow`).
};

} // namespace replicant
