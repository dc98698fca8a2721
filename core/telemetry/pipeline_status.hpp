// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/delivery/watermark.hpp"
#include "replicant/core/model/fault.hpp"
#include "replicant/core/model/slot_standing.hpp"
#include "replicant/core/model/timestamp.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace replicant {

/// Where a pipeline stands.
enum class pipeline_phase : std::uint8_t {
  connecting, ///< The connect chain runs.
  streaming,
  waiting,  ///< Between two attempts, perhaps for the sink to return; `last_fault` says why.
  stopping, ///< Finishing what is in hand.
  stopped,  ///< As asked.
  halted,   ///< Nothing runs, the slot is kept, `last_fault` says why; a person is needed.
};

/// All of them, in their order.
inline constexpr std::array pipeline_phases{pipeline_phase::connecting, pipeline_phase::streaming,
                                            pipeline_phase::waiting,    pipeline_phase::stopping,
                                            pipeline_phase::stopped,    pipeline_phase::halted};

/// The phase's name, as the status spells it.
[[nodiscard]] std::string_view to_string(pipeline_phase phase);

/// What one pipeline is doing: numbers and names from the configuration, never a value of a row.
/// Counters start at zero with the pipeline and go on over reconnects.
struct pipeline_status {
  std::string name;
  std::string slot_name;
  pipeline_phase phase = pipeline_phase::connecting;
  timestamp phase_since{};
  std::optional<fault> last_fault; ///< Of the last attempt that failed; kept while streaming again.
  watermark durable{};             ///< What the sink has made durable.
  lsn acknowledged{};              ///< What was last confirmed to the server.
  lsn received_end{};              ///< The furthest position that the server has told.
  std::uint64_t lag_bytes = 0;     ///< WAL bytes from `acknowledged` to `received_end`.
  std::uint64_t in_flight_bytes = 0;   ///< Payload bytes read and not yet durable.
  std::uint64_t open_transactions = 0; ///< Taken in part, and neither committed nor rolled back.
  std::uint64_t open_bytes = 0;    ///< Payload bytes of theirs in memory; part of those in flight.
  std::uint64_t spilled_bytes = 0; ///< On disk now: theirs, and of those that are being delivered.
  bool paced = false;              ///< Reading rests until the sink has made something durable.
  /// Attempts to read or write the checkpoint store that failed in a row: nothing is delivered
  /// until one succeeds. Zero while it does what is asked.
  std::uint32_t store_failures = 0;
  timestamp last_commit_time{};    ///< Commit time of the last durable transaction; zero: none yet.
  std::uint64_t transactions = 0;  ///< Durable.
  std::uint64_t changes = 0;       ///< Rows and truncates in them.
  std::uint64_t bytes = 0;         ///< Payload bytes that became durable.
  std::uint64_t messages = 0;      ///< Outside of transactions, durable.
  std::uint64_t streamed = 0;      ///< Transactions taken while open that were committed.
  std::uint64_t rolled_back = 0;   ///< Transactions taken while open that were rolled back.
  std::uint64_t spills = 0;        ///< Transactions of which a part went to disk.
  std::uint64_t spill_written = 0; ///< Bytes that went to disk for them.
  std::uint64_t reconnects = 0;
  std::uint32_t server_version = 0;
  /// What the server last said of the slot, at `slot_asked_at`; nothing while it is not connected,
  /// or does not say.
  std::optional<slot_standing> slot;
  timestamp slot_asked_at{};
};

} // namespace replicant
