// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/files/descriptor.hpp"

#include <chrono>

namespace replicant::postgres {

/// A flag that ends waits: once raised it stays raised.
class interrupt_flag {
public:
  /// @throws std::system_error when the process has no file descriptor left.
  interrupt_flag();

  /// Ends every wait on this flag, now and later. Any thread may call it.
  void raise();

  [[nodiscard]] bool raised() const;

  /// Waits until it is raised, at most for `span` (below a second), kept to the microsecond or so:
  /// from then on the calling thread's timers are exact.
  void wait(std::chrono::microseconds span) const;

  /// Readable once the flag is raised.
  [[nodiscard]] int number() const { return event_.number(); }

private:
  descriptor event_;
};

using deadline = std::chrono::steady_clock::time_point;

inline constexpr deadline never = deadline::max();

[[nodiscard]] inline deadline in(std::chrono::milliseconds patience) {
  return std::chrono::steady_clock::now() + patience;
}

enum class wake {
  ready, ///< One of the events asked for, or the peer is gone.
  interrupted,
  timed_out,
};

/// Waits for `events` (of poll) on `socket`, `stop` or the deadline. `stop` may be null.
[[nodiscard]] wake wait(int socket, short events, const interrupt_flag* stop, deadline until);

} // namespace replicant::postgres
