// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/interfaces.hpp"
#include "replicant/core/delivery/sink.hpp"

#include <caf/fwd.hpp>

namespace replicant {

/// Makes sinks that hand everything to `target`, an actor of the host's own: give it to `start` in
/// the place of a factory of sinks.
///
/// `target` is asked one thing at a time, and the next only when it has answered: what it does not
/// answer blocks the pipeline as a blocked sink does, and counts against the same credit. Each
/// generation begins with `open_session`, after the last answer to the one before. It is watched
/// and never ended: the pipeline that stops or halts leaves it running, and when it ends by itself
/// the pipeline halts with `sink_failed`. It is kept as long as the pipeline's handle.
/// @fault what `target` answers with an error of `reason`; `sink_failed` for any other error.
[[nodiscard]] sink_factory sinks_of(caf::actor_system& system, host_sink_actor target);

} // namespace replicant
