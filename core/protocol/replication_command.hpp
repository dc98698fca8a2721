// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/lsn.hpp"
#include "replicant/core/model/slot_lifetime.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

/// The commands that only a walsender understands.
namespace replicant {

/// The first command on every replication connection. Columns: systemid, timeline, dbname.
[[nodiscard]] std::string identify_system_command();

/// What lies behind a timeline other than the first. Column: content (see
/// `parse_timeline_history`).
[[nodiscard]] std::string timeline_history_command(std::uint32_t timeline);

/// A logical slot without a snapshot, in the grammar of the server. Column: consistent_point.
/// @pre a slot that outlives a failover is asked of 17 or newer (see `judge_source`).
[[nodiscard]] std::string create_slot_command(std::string_view slot, slot_lifetime lifetime,
                                              std::uint32_t server_version);

/// What a stream is asked for.
struct stream_request {
  std::string_view slot;
  lsn from{};
  std::span<const std::string> publications;
  bool messages = false; ///< Logical messages too.
  bool binary = false;   ///< Values in binary form, for types that have one.
  /// Large transactions while they are open, which takes version 2 of the protocol; without, it is
  /// version 1. See `stream_dialect` for what then may come.
  bool streaming = false;
};

/// Every name in it is quoted: any is safe.
[[nodiscard]] std::string start_replication_command(const stream_request& what);

} // namespace replicant
