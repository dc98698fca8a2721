// SPDX-License-Identifier: MIT
#pragma once

namespace replicant::bench {

/// Registers what it costs to put a large transaction on disk and to read it back, beside keeping
/// it in memory.
void add_spilling();

} // namespace replicant::bench
