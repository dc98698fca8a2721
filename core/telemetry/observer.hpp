// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/fault.hpp"
#include "replicant/core/model/schema_change.hpp"
#include "replicant/core/model/slot_standing.hpp"

#include <chrono>
#include <cstdint>
#include <string_view>

namespace replicant {

/// What happened to a pipeline, and what the event tells of it.
enum class event_kind : std::uint8_t {
  connecting,      ///< A generation begins; `count` is its number.
  connected,       ///< The server is identified; `count` is server_version_num.
  slot_created,    ///< `position` is the consistent point.
  streaming,       ///< `position` is where the stream was asked to start.
  paced,           ///< Reading rests: `count` payload bytes wait for the sink.
  resumed,         ///< Reading goes on.
  server_leaving,  ///< The server shuts down; the connection is given up so that it can.
  generation_lost, ///< `failure` ended the generation; the next begins after `delay`.
  halted,          ///< `failure` needs a person.
  stopped,         ///< As asked; `position` is the last one acknowledged, zero for none.
  /// The source refuses its own UPDATE and DELETE of the published `table`, which has no replica
  /// identity; without a name: of `count` more.
  identity_missing,
  tail_cut,        ///< The sink has cut off `count` bytes that a crash had left unfinished.
  schema_changed,  ///< A table's rows come in another shape from `position` on: `change`.
  schema_refused,  ///< As above, and the sink does not take it: the halt follows.
  store_retrying,  ///< The checkpoint store failed with `failure`, `count` times in a row.
  store_recovered, ///< It does again what is asked; `failure` was the last.
  /// Transactions that were read are whole: `count` of them with `changes` rows since the last such
  /// event, which comes at most a few times a second.
  assembled,
  /// The sink has made transactions durable in one step: `count` of them with `changes` rows and
  /// `bytes` payload, in `duration`; all up to `position` is durable.
  made_durable,
  /// Everything up to `position` is durable, without a transaction.
  idle_advanced,
  /// `count` messages outside of transactions, `bytes` long together, are durable.
  messages_taken,
  /// Everything below `position` has been confirmed to the server; comes at most a few times a
  /// second.
  acknowledged,
  /// The sink, or the store of its position, gave up what it was handed, after `duration`:
  /// `failure`.
  sink_failed,
  disconnected, ///< The connection of a generation that had connected has ended.
  slot_at_risk, ///< The server is about to remove WAL that the slot needs: `slot`.
  /// Open transactions outgrew memory: `count` more have begun to spill, and `bytes` were written
  /// since the last such event, which comes at most a few times a second.
  spilled,
  /// Open transactions have reached the bound of what may be spilled, `bytes`: the halt follows.
  spill_exhausted,
  /// `count` transactions that were taken while open have been rolled back since the last such
  /// event, which comes at most a few times a second.
  rolled_back,
};

/// The number of kinds, for tests that walk them all.
inline constexpr std::uint8_t event_kind_count =
  static_cast<std::uint8_t>(event_kind::rolled_back) + 1;

/// The event's name, as logs spell it.
[[nodiscard]] std::string_view to_string(event_kind kind);

/// Something that happened to a pipeline: structure only.
struct telemetry_event {
  event_kind kind = event_kind::connecting;
  std::string_view pipeline; ///< Valid during the call.
  lsn position{};
  std::uint64_t count = 0;
  std::chrono::milliseconds delay{0};
  fault failure{};
  std::string_view table{}; ///< Qualified and quoted as SQL takes it; valid during the call.
  const schema_change* change = nullptr; ///< Valid during the call.
  std::uint64_t changes = 0;
  std::uint64_t bytes = 0;
  std::chrono::microseconds duration{0}; ///< From handing over to the answer.
  const slot_standing* slot = nullptr;   ///< Valid during the call.
};

/// Receives the events of pipelines. Called from several threads at once; must not block or throw.
/// No event is told for each row or each transaction: those of a busy stream come once for what
/// became durable together, and must cost little.
class observer {
public:
  virtual ~observer() = default;

  /// `what`, and every text in it, is valid during the call.
  virtual void on_event(const telemetry_event& what) = 0;
};

} // namespace replicant
