// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/lsn.hpp"
#include "replicant/core/model/reason.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>

namespace replicant {

/// What a number in a fault means.
enum class fact_kind : std::uint8_t {
  none,
  expected_position, ///< An LSN.
  found_position,    ///< An LSN.
  process_id,        ///< Of a server process.
  error_number,      ///< errno of a failed system call.
  setting,           ///< Index into `pinned_settings` (core/model/session_settings.hpp).
  server_version,    ///< server_version_num.
  file_offset,       ///< Bytes from the start of the sink's file.
  silence,           ///< Milliseconds without a frame from the server.
  holder,            ///< A `slot_holder`.
  differs,           ///< An `identity_part`.
  schema_change,     ///< A `schema_change_kind` (core/model/schema_change.hpp).
  fingerprint,       ///< Of a `schema_change`: by it a person accepts it.
  cause,             ///< The `reason` that a part of ours gave.
  invalidation,      ///< An `invalidation_cause`.
  expected_timeline, ///< The number of a timeline.
  found_timeline,    ///< The number of a timeline.
  transaction_id,    ///< Of a transaction of the server.
  limit,             ///< What was reached: bytes, or how many.
};

/// What kind of client holds a slot, as far as its application_name tells.
enum class slot_holder : std::uint8_t {
  unknown, ///< It cannot be seen.
  replicant,
  pg_recvlogical,
  subscription, ///< The apply worker of a subscription.
  other_client,
};

/// Why a server has invalidated a slot, other than for want of WAL.
enum class invalidation_cause : std::uint8_t {
  unknown,                ///< The server does not say, or says something newer than this.
  conflict,               ///< What happened on the primary took from a standby what its slot needs.
  rows_removed,           ///< Rows of the catalog that decoding needs.
  wal_level_insufficient, ///< wal_level was lowered meanwhile.
  idle_timeout,           ///< Nobody has read from it for idle_replication_slot_timeout.
};

/// By what one source is told from another.
enum class identity_part : std::uint8_t {
  system_identifier,
  database,
  slot_name,
};

/// One number that helps a person; never a value of a row.
struct fact {
  fact_kind kind = fact_kind::none;
  std::uint64_t value = 0;
};

/// Why and where something failed: structure, never content. Trivially copyable, so no text can be
/// inside.
struct fault {
  reason why = reason::crashed;
  lsn at{};
  std::uint32_t relation = 0; ///< OID, 0 for none.
  sqlstate code{};
  std::array<fact, 2> facts{};
};

static_assert(std::is_trivially_copyable_v<fault>);

/// The first fact of this kind; nothing when the fault has none.
[[nodiscard]] std::optional<std::uint64_t> find_fact(const fault& what, fact_kind kind);

/// One line for a log: the reason's name and what is known of the place.
[[nodiscard]] std::string to_string(const fault& what);

/// What happened and what to do about it, as `explain` of the reason, with what the facts add.
[[nodiscard]] std::string explain(const fault& what);

} // namespace replicant
