// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/interfaces.hpp"
#include "replicant/config/settings.hpp"
#include "replicant/core/delivery/sink.hpp"
#include "replicant/core/protocol/replication_source.hpp"
#include "replicant/core/telemetry/observer.hpp"
#include "replicant/core/telemetry/pipeline_status.hpp"

#include <caf/fwd.hpp>

#include <chrono>
#include <memory>

namespace replicant {

/// Starts a pipeline in the host's actor system and returns at once; it connects by itself.
///
/// The pipeline runs until `stop` or until it halts; the returned handle answers `status` in both
/// cases. `make_sink` is called once per generation, on the thread that will use the sink, and only
/// after the sink before is gone. `watcher` may be null.
/// @fault command_failed, permission_denied ... never here: what needs the server is told by
/// `status`.
[[nodiscard]] pipeline_actor start(caf::actor_system& system, const pipeline_settings& settings,
                                   sink_factory make_sink,
                                   std::shared_ptr<observer> watcher = nullptr);

/// As above, reading from `make_source` instead of a server named by `settings.conninfo`.
[[nodiscard]] pipeline_actor start(caf::actor_system& system, const pipeline_settings& settings,
                                   source_factory make_source, sink_factory make_sink,
                                   std::shared_ptr<observer> watcher = nullptr);

/// What the pipeline is doing. Blocks until it has answered, which takes it no time worth telling.
[[nodiscard]] pipeline_status status(caf::actor_system& system, const pipeline_actor& pipeline);

/// Finishes what is in hand, makes it durable, acknowledges it and leaves. Blocks until that is
/// done or `patience` is over; then what was not acknowledged is sent again by the next start.
/// @returns the last status: `stopped`, or `halted` if it had halted before.
pipeline_status stop(caf::actor_system& system, const pipeline_actor& pipeline,
                     std::chrono::milliseconds patience = std::chrono::seconds{10});

} // namespace replicant
