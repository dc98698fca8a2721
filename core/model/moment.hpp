// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>

namespace replicant {

/// A point of monotonic time. Rules take it as a parameter; only actors read the clock.
using moment = std::chrono::steady_clock::time_point;

} // namespace replicant
