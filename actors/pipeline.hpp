// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/interfaces.hpp"
#include "replicant/config/settings.hpp"
#include "replicant/core/delivery/checkpoint_store.hpp"
#include "replicant/core/delivery/sink.hpp"
#include "replicant/core/protocol/replication_source.hpp"
#include "replicant/core/telemetry/observer.hpp"
#include "replicant/core/telemetry/pipeline_status.hpp"

#include <caf/fwd.hpp>

#include <chrono>
#include <memory>
#include <span>
#include <vector>

namespace replicant {

/// Starts a pipeline in the host's actor system and returns at once; it connects by itself.
///
/// The pipeline runs until `stop` or until it halts; the returned handle answers `status` in both
/// cases. Any number of them share a system, each on a slot of its own. `settings` is copied;
/// `settings.sink` and whether the names in it are valid is not looked at. `make_sink` is called
/// once per generation, on the thread that will use the sink, and only after the sink before is
/// gone; for a sink that is an actor see `sinks_of` (host_sink.hpp). `watcher` may be null; it is
/// called from threads of the system.
///
/// Three threads of its own and one that watches the socket come with each pipeline; the rest runs
/// on the host's scheduler. The system ends only when every pipeline has been stopped or halted,
/// and every handle has gone: call `stop` first, and make the system before the handles. No fault
/// is returned here: what needs the server or the sink is told by `status` and `watcher`.
[[nodiscard]] pipeline_actor start(caf::actor_system& system, const pipeline_settings& settings,
                                   sink_factory make_sink,
                                   std::shared_ptr<observer> watcher = nullptr);

/// The two ends of a pipeline and what is between, where they are not those that `settings` names.
struct pipeline_parts {
  source_factory make_source; ///< Instead of a server at `settings.conninfo`.
  sink_factory make_sink;
  /// Keeps the position for the sink, instead of a table as `settings.checkpoint_store` says; how
  /// often it is written and tried again still stands there.
  checkpoint_store_factory make_store{};
};

/// As above, of other parts.
[[nodiscard]] pipeline_actor start(caf::actor_system& system, const pipeline_settings& settings,
                                   pipeline_parts parts,
                                   std::shared_ptr<observer> watcher = nullptr);

/// What the pipeline is doing. Blocks until it has answered, which takes it no time worth telling:
/// any thread may call, but no actor that shares the scheduler's threads; such a one sends
/// `tell_status` to the handle. A pipeline that has ended by a defect is `halted` as `crashed`.
[[nodiscard]] pipeline_status status(caf::actor_system& system, const pipeline_actor& pipeline);

/// Finishes what is in hand, makes it durable, acknowledges it and leaves. Blocks until that is
/// done or `patience` is over; then it goes on stopping, and what was not acknowledged when the
/// program ends is sent again by the next start. May be called again, and by any thread but those
/// of the scheduler; an actor sends `stop_pipeline` to the handle.
/// @returns the last status: `stopped`, `halted` if it had halted before or did so meanwhile, or
/// `stopping` when `patience` was over.
pipeline_status stop(caf::actor_system& system, const pipeline_actor& pipeline,
                     std::chrono::milliseconds patience = std::chrono::seconds{10});

/// As above, all at once, within one `patience`. @returns a status for each, in their order.
std::vector<pipeline_status> stop(caf::actor_system& system,
                                  std::span<const pipeline_actor> pipelines,
                                  std::chrono::milliseconds patience = std::chrono::seconds{10});

} // namespace replicant
