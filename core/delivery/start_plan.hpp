// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/delivery/sink.hpp"
#include "replicant/core/delivery/timeline.hpp"
#include "replicant/core/delivery/watermark.hpp"
#include "replicant/core/model/result.hpp"
#include "replicant/core/model/slot_lifetime.hpp"
#include "replicant/core/protocol/replication_source.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace replicant {

/// What an operator has allowed and demanded of a start.
struct start_conditions {
  bool go_forward_only = false;                 ///< A fresh start may begin at the present moment.
  std::optional<std::string> system_identifier; ///< Refuse any other server.
  std::optional<std::string> database;          ///< Refuse any other database.
  /// A temporary slot begins at the present moment every time, whatever was delivered before: who
  /// asks for it accepts the gap. One for failovers needs a server that knows them.
  slot_lifetime slot = slot_lifetime::permanent;
};

/// What a pipeline knows from its earlier generations; all of it empty in its first.
struct run_memory {
  watermark delivered{}; ///< Idle positions included, so nothing beyond it was acknowledged.
  std::optional<session_identity> source{}; ///< Of the stream before.
  timeline_memory timeline{};               ///< Of what is durable.
};

/// How to begin the stream.
struct start_plan {
  stream_start how = stream_start::resumed; ///< fresh: create the slot first.
  watermark resume{};                       ///< Known only when resumed.
  bool origin_to_persist =
    false; ///< The sink holds no position yet: give it `resume` before anything else.
  timeline_memory timeline{}; ///< To be remembered once the stream has begun.
};

/// Judges the server's age before anything else is asked of it. @fault server_unsupported
/// before 14.
[[nodiscard]] result<void> judge_version(std::uint32_t server_version);

/// Judges who the server is, before the sink is asked anything: the one that is demanded, and the
/// one that this run has delivered from. @fault session_identity_rejected.
[[nodiscard]] result<void> judge_identity(const source_facts& facts,
                                          const start_conditions& conditions,
                                          const run_memory& remembered = {});

/// Judges what the server can do and has, whatever the sink holds.
/// @fault failover_unsupported, wal_level_insufficient, publication_missing: the first that
/// applies.
[[nodiscard]] result<void> judge_source(const source_facts& facts,
                                        const start_conditions& conditions);

/// Judges whether a slot can be streamed from by a session of `database`.
/// @fault slot_not_logical, slot_wrong_plugin, slot_wrong_database, slot_two_phase,
/// slot_synced_unpromoted, slot_active, slot_lost, slot_invalidated: the first that applies.
[[nodiscard]] result<void> judge_slot(const slot_facts& slot, std::string_view database);

/// Decides whether a stream may begin, and from where. Nothing has been created, moved or written
/// yet, and a refusal leaves it so.
///
/// `persists_frontier`: the sink stores idle positions too, so a slot ahead of it proves a gap. So
/// does one ahead of what this run has delivered. Of a sink without memory that is all it holds.
/// @fault as `judge_timeline` and `judge_slot`; data_gap, go_forward_required,
/// checkpoint_missing, slot_advanced, server_behind.
[[nodiscard]] result<start_plan> plan_start(const source_facts& facts, const sink_checkpoint& held,
                                            bool persists_frontier,
                                            const start_conditions& conditions,
                                            const run_memory& remembered = {});

} // namespace replicant
