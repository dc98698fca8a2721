// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace replicant {

/// What may come on a stream of pgoutput, which depends on what was asked for and on who sends it.
///
/// Version 2 of the protocol, which every server from 14 on has, differs from version 1 only by the
/// messages of transactions that are sent while they are open. Later versions bring nothing that is
/// used here: 3 sends transactions when they are prepared, and 4 tells positions of aborts to a
/// subscriber that applies in parallel.
struct stream_dialect {
  /// Large transactions may be sent while they are open, in segments between Stream Start and
  /// Stream Stop.
  bool streaming = false;
  /// A Stream Abort may name a subtransaction of a transaction of which no segment was ever sent.
  bool stray_aborts = false;

  friend bool operator==(const stream_dialect&, const stream_dialect&) = default;
};

/// The dialect of a server with this server_version_num. `streaming`: it was asked for.
///
/// 18 looks itself whether a large transaction has been rolled back by now. Then it throws away what
/// it had of it, and sends the aborts of its subtransactions all the same, in protocol version 1
/// too; but none of the transaction as a whole (seen on 18.4, never on 14 to 17).
[[nodiscard]] constexpr stream_dialect dialect_of(std::uint32_t server_version, bool streaming) {
  constexpr std::uint32_t version_18 = 180000;
  return {.streaming = streaming, .stray_aborts = server_version >= version_18};
}

} // namespace replicant
