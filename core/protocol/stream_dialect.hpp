// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace replicant {

/// What a stream may hold beside whole transactions.
struct stream_dialect {
  bool streaming = false;    ///< Segments of open transactions: protocol version 2 was asked for.
  bool stray_aborts = false; ///< Stream aborts of transactions of which no segment ever came.
};

/// What a server of this version sends, by whether it was asked to stream.
///
/// 18 looks itself whether a large transaction has been rolled back by now; then it throws away
/// what it had of it and sends the abort all the same, even in protocol version 1.
[[nodiscard]] constexpr stream_dialect dialect_of(std::uint32_t server_version, bool streaming) {
  constexpr std::uint32_t version_18 = 180000;
  return {.streaming = streaming, .stray_aborts = server_version >= version_18};
}

} // namespace replicant
