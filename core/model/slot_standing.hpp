// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace replicant {

/// Whether the server still has the WAL of a slot: pg_replication_slots.wal_status.
enum class slot_wal_status : std::uint8_t {
  unknown,    ///< Not told, or by a name that is not known.
  reserved,   ///< Within max_wal_size.
  extended,   ///< Beyond it, and kept.
  unreserved, ///< To be removed at the next checkpoint.
  lost,       ///< Removed in part.
};

/// All of them, in their order.
inline constexpr std::array slot_wal_statuses{slot_wal_status::unknown, slot_wal_status::reserved,
                                              slot_wal_status::extended,
                                              slot_wal_status::unreserved, slot_wal_status::lost};

/// PostgreSQL's spelling; "unknown" for what it has none for.
[[nodiscard]] std::string_view to_string(slot_wal_status status);

/// What `to_string` spells so; `unknown` for any other text.
[[nodiscard]] slot_wal_status slot_wal_status_of(std::string_view text);

/// How much WAL a slot holds back on its server, and how much it may.
struct slot_standing {
  slot_wal_status wal_status = slot_wal_status::unknown;
  std::uint64_t retained_bytes = 0; ///< From the slot's restart_lsn to the end of the WAL.
  /// What can still be written until the slot is in danger, as the server reckons it in whole
  /// segments: pg_replication_slots.safe_wal_size, zero where it is negative. Nothing: no bound, or
  /// the slot is lost.
  std::optional<std::uint64_t> safe_bytes{};
  /// max_slot_wal_keep_size, or wal_keep_size where that is more. Nothing: no bound.
  std::optional<std::uint64_t> limit_bytes{};

  friend bool operator==(const slot_standing&, const slot_standing&) = default;
};

} // namespace replicant
