// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>

namespace replicant::postgres {

/// How the bytes of a session travel, as far as it decides how a busy stream is best read.
enum class transport {
  unix_socket,
  loopback,
  network
};

[[nodiscard]] transport transport_of(int socket);

/// The longest time for which messages may gather in the socket.
[[nodiscard]] std::chrono::microseconds gathering_limit_of(transport over);

/// Makes a loopback connection take in little at a time, so that the kernel puts the walsender's
/// small messages together instead of handing over each (docs/adr/0011). Leaves others alone: over
/// a network a small window would bound the speed by the round trip.
void tighten_window(int socket);

} // namespace replicant::postgres
