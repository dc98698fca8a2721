// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/lsn.hpp"
#include "replicant/core/model/result.hpp"
#include "replicant/core/model/timestamp.hpp"

#include <array>
#include <string_view>
#include <variant>

namespace replicant {

/// A piece of the stream: one message of the output plugin.
struct xlog_data {
  lsn start{};              ///< Where the record that caused it starts; 0 for derived messages.
  lsn end{};                ///< The server's end of WAL, or `start` again.
  timestamp sent{};         ///< The server's clock.
  std::string_view payload; ///< A view into the frame.
};

/// The server tells how far it has looked, and that it is alive.
struct keepalive {
  lsn wal_end{}; ///< Exclusive: the next commit record may start exactly here.
  timestamp sent{};
  bool reply_requested = false; ///< Without a status update soon, the server gives up.
};

/// What the server sends inside of CopyData.
using replication_frame = std::variant<xlog_data, keepalive>;

/// Reads the body of one CopyData message.
/// @fault decode_failure for an unknown tag, an unknown flag, missing or trailing bytes.
[[nodiscard]] result<replication_frame> decode_frame(std::string_view frame);

/// What the consumer tells the server. Every position is exclusive: the first byte not covered.
struct status_update {
  lsn written{};
  lsn flushed{}; ///< What the slot is confirmed to.
  lsn applied{};
  timestamp now{};
  bool reply_requested = false; ///< Asks the server for a keepalive at once.
};

/// The length of an encoded status update.
inline constexpr std::size_t status_update_size = 34;

/// The body of the CopyData message that tells `update`.
[[nodiscard]] std::array<char, status_update_size> encode(const status_update& update);

} // namespace replicant
