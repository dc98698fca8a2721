// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/assembly/assembly_news.hpp"
#include "replicant/core/assembly/schema_memory.hpp"
#include "replicant/core/assembly/spill.hpp"
#include "replicant/core/delivery/chunk.hpp"
#include "replicant/core/delivery/delivery.hpp"
#include "replicant/core/delivery/sink.hpp"
#include "replicant/core/delivery/timeline.hpp"
#include "replicant/core/model/fault.hpp"
#include "replicant/core/model/slot_standing.hpp"
#include "replicant/core/protocol/replication_source.hpp"
#include "replicant/core/telemetry/pipeline_status.hpp"

#include <caf/allowed_unsafe_message_type.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

namespace replicant {

// Imperatives are requests, past participles are facts. All are unsafe types: nothing can serialise
// or print them.

// What the host asks of a pipeline.

/// Answered at once with `status_told`.
struct tell_status {};

/// Answered with `status_told` when the pipeline has ended.
struct stop_pipeline {};

/// How a pipeline answers both.
struct status_told {
  pipeline_status status;
};

// What the children tell the pipeline. All of it arrives before the news that the child is down,
// and a generation begins only when all of the one before are down: none can be stale.

/// The child ends because of this; it is told before the child quits.
struct generation_failed {
  fault what;
};

/// The server has been identified and the session verified.
struct source_connected {
  std::uint32_t server_version = 0;
  std::chrono::milliseconds wal_sender_timeout{0};
  tables_without_identity unidentified;
};

struct slot_created {
  lsn consistent_point;
};

struct stream_started {
  lsn from;
  session_identity source;
  timeline_memory timeline; ///< Of what is durable, and of what the stream brings.
};

/// The sink has cut off what a crash had left unfinished.
struct tail_cut {
  std::uint64_t bytes = 0;
};

/// The sink has made durable, in one step, what it was handed.
struct delivery_recorded {
  watermark reached;
  std::uint64_t transactions = 0;
  std::uint64_t changes = 0;
  std::uint64_t bytes = 0;
  std::uint64_t messages = 0; ///< Outside of transactions.
  std::uint64_t message_bytes = 0;
  std::chrono::microseconds took{0}; ///< From handing over the first of it.
  timestamp last_commit_time;
  std::vector<std::shared_ptr<const relation>> shapes; ///< In which its rows came, where new.
};

/// The sink has given up what it was handed; the failure follows.
struct delivery_failed {
  fault what;
  std::chrono::microseconds took{0}; ///< From handing over the first of what is not durable.
};

/// The sink was told how a table has changed. One that it did not take is followed by the failure.
struct schema_changed {
  std::shared_ptr<const schema_change> what;
  bool accepted = false;
};

/// The checkpoint store did not take what was asked of it, `failures` times in a row, and is asked
/// again; zero: it has.
struct store_reported {
  std::uint32_t failures = 0;
  fault last;
};

/// How the stream stands; told when it changes and at most a few times a second.
struct stream_reported {
  lsn acknowledged;
  lsn received_end;
  std::uint64_t in_flight_bytes = 0;
  std::uint64_t open_transactions = 0;
  std::uint64_t open_bytes = 0;
  std::uint64_t spilled_bytes = 0;
  bool paced = false;
  assembly_news made; ///< Since this was told last.
};

/// What the server says of the slot while the stream runs.
struct slot_told {
  slot_standing standing;
};

/// The connection gives way to a server that shuts down; the failure follows.
struct server_left {};

// What the pipeline tells itself.

struct begin_generation {
  std::uint64_t generation = 0;
};

// Between the children of one generation.

/// Finish what is in hand, acknowledge it, disconnect.
struct drain {};

/// Reading rests: make durable what waits, so that it can go on.
struct settle {};

/// Which source the stream will come from; answered with what the sink holds.
struct open_session {
  session_identity identity;
};

struct session_opened {
  sink_checkpoint held;
  bool persists_frontier = false;
  schema_memory known; ///< In which shapes tables were last delivered.
};

/// The start has been judged safe; answered when the sink is prepared.
struct begin_stream {
  stream_start how = stream_start::resumed;
  session_identity identity;
  timeline_memory timeline; ///< To be remembered with what comes.
};

struct stream_begun {};

// To a host's own actor that is a sink, beside `open_session` and `begin_stream`.

/// `content` and everything it refers to are valid until it is answered, even in a copy.
struct take_transaction {
  transaction content;
};

/// As `handle_frontier` of a sink.
struct take_frontier {
  watermark reached;
};

/// Answers both: it is durable.
struct taken {};

/// Where the sink stands: the stream that follows leaves out what is durable already.
struct begin_assembly {
  watermark resume;
  bool tell_origin = false; ///< The sink holds no position yet: deliver `resume` itself first.
  schema_memory known;      ///< What tables are compared with.
  session_identity source;
  std::uint32_t server_version = 0;
};

struct assemble {
  std::shared_ptr<const chunk> source;
};

/// A chunk has been read: `released` of its bytes hold nothing to deliver, `open` wait for their
/// commit.
struct assembled {
  std::uint64_t released = 0;
  std::uint64_t open = 0;
  std::uint64_t open_transactions = 0;
  std::shared_ptr<const spill_area> spill; ///< Null where nothing is spilled.
  assembly_news made;
};

struct deliver {
  std::shared_ptr<const delivery> content;
};

/// Everything up to `reached` is durable; `released` payload bytes with it.
struct durable {
  watermark reached;
  std::uint64_t released = 0;
};

/// Follows the last delivery through assembler and sink: what came before it is durable when it
/// returns.
struct drained {};

/// The socket or the companion session has something to say.
struct source_ready {};

/// A deadline may have passed; an older `epoch` is ignored.
struct tick {
  std::uint64_t epoch = 0;
};

} // namespace replicant

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(replicant::tell_status)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(replicant::stop_pipeline)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(replicant::status_told)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(replicant::generation_failed)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(replicant::source_connected)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(replicant::slot_created)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(replicant::stream_started)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(replicant::tail_cut)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(replicant::delivery_recorded)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(replicant::delivery_failed)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(replicant::schema_changed)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(replicant::store_reported)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(replicant::stream_reported)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(replicant::slot_told)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(replicant::server_left)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(replicant::begin_generation)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(replicant::drain)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(replicant::settle)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(replicant::open_session)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(replicant::session_opened)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(replicant::begin_stream)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(replicant::stream_begun)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(replicant::sink_checkpoint)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(replicant::take_transaction)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(replicant::take_frontier)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(replicant::taken)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(replicant::begin_assembly)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(replicant::assemble)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(replicant::assembled)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(replicant::deliver)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(replicant::durable)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(replicant::drained)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(replicant::source_ready)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(replicant::tick)
