// SPDX-License-Identifier: MIT
#pragma once

#include <benchmark/benchmark.h>

namespace replicant::bench {

// The way of a recorded backlog from the connection through the assembler into a sink that counts.
// A pass is over when its last row has come to the sink; passes follow each other without a gap.

/// A whole pipeline of ours: reading, credit, assembling, reading the rows, acknowledging.
void chain_of_ours(::benchmark::State& state, const char* name);

/// The same work on one thread, without actors: what remains is what they cost or gain.
void chain_without_actors(::benchmark::State& state, const char* name);

/// The same chunks, ready-made, handed through three bare actors of CAF under the same credit: what
/// handing over alone costs.
void chain_of_caf(::benchmark::State& state, const char* name);

} // namespace replicant::bench
