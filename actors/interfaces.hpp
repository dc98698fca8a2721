// SPDX-License-Identifier: MIT
#pragma once

// Every typed actor interface of the running system: reading this is reading the architecture.

#include "replicant/actors/messages.hpp"

#include <caf/fwd.hpp>
#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

namespace replicant {

/// PIPELINE, as a host sees it. Answers in every phase, also after it has stopped or halted.
/// Dropping the handle does not end it: stop it before the actor system ends.
using pipeline_actor = caf::typed_actor<
  // What the pipeline is doing.
  caf::replies_to<tell_status>::with<status_told>,
  // Finish and leave; answered when everything has ended.
  caf::replies_to<stop_pipeline>::with<status_told>>;

/// What every child knows of its pipeline: where facts and failures go.
using generation_listener = caf::typed_actor<
  caf::reacts_to<generation_failed>, caf::reacts_to<source_connected>, caf::reacts_to<slot_created>,
  caf::reacts_to<stream_started>, caf::reacts_to<stream_reported>, caf::reacts_to<slot_told>,
  caf::reacts_to<server_left>,
  // From the sink: counters and the watermark that outlives the generation.
  caf::reacts_to<tail_cut>, caf::reacts_to<delivery_recorded>, caf::reacts_to<delivery_failed>,
  caf::reacts_to<schema_changed>, caf::reacts_to<store_reported>>;

/// The pipeline itself: supervises one generation of children after another.
using supervisor_actor =
  pipeline_actor::extend_with<generation_listener>::extend<caf::reacts_to<begin_generation>>;

/// What assembler and sink know of the connection.
using delivery_listener = caf::typed_actor<
  // From the assembler, one per chunk: what the credit algebra needs.
  caf::reacts_to<assembled>,
  // From the sink, one per delivery, sync or batch: permits the acknowledgement.
  caf::reacts_to<durable>,
  // From the sink: nothing is in hand any more.
  caf::reacts_to<drained>>;

/// CONNECTION: the replication socket, the slot, the connect chain, what is acknowledged.
using connection_actor = delivery_listener::extend<
  // Start the connect chain.
  caf::reacts_to<begin_generation>,
  // From the source's readiness thread.
  caf::reacts_to<source_ready>, caf::reacts_to<tick>,
  // From the pipeline: leave in order.
  caf::reacts_to<drain>>;

/// SINK: the only actor that calls the host's sink object. May block.
using sink_actor = caf::typed_actor<
  // Compare the source with what the sink knows; tell what the sink holds. Writes nothing.
  caf::replies_to<open_session>::with<session_opened>,
  // The start is safe: prepare the target.
  caf::replies_to<begin_stream>::with<stream_begun>,
  // Make durable, in order; answered by `durable` to the listener.
  caf::reacts_to<deliver, delivery_listener>,
  // Make everything durable now; answered by `durable` and `drained`.
  caf::reacts_to<drain, delivery_listener>,
  // Make everything durable now; answered by `durable`.
  caf::reacts_to<settle>,
  // What waits to be made durable has waited long enough.
  caf::reacts_to<tick>>;

/// A host's own actor in the place of a sink object (host_sink.hpp). What it has to do is what
/// `sink`, `session_sink` and `frontier_sink` say (core/delivery/sink.hpp); an answer means
/// durable, and an error of `reason` ends the generation. Nothing else is asked before it has
/// answered.
using host_sink_actor = caf::typed_actor<
  // A generation begins: compare the source with the one remembered, tell what is held. Writes
  // nothing. What an earlier generation was told and did not get an answer to comes again.
  caf::replies_to<open_session>::with<sink_checkpoint>,
  // The start is safe: from here on it may write.
  caf::replies_to<begin_stream>::with<stream_begun>,
  // Make durable, with its position.
  caf::replies_to<take_transaction>::with<taken>,
  // Remember an idle position.
  caf::replies_to<take_frontier>::with<taken>>;

/// ASSEMBLER: chunks to deliveries, in order. May block, on the disk to which it spills.
using assembler_actor = caf::typed_actor<
  // Chunks of one stream; the first carries where the sink stands.
  caf::reacts_to<begin_assembly>, caf::reacts_to<assemble, delivery_listener>,
  // Passed on behind the last delivery.
  caf::reacts_to<drain, delivery_listener>, caf::reacts_to<settle>>;

} // namespace replicant
