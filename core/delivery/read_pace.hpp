// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/moment.hpp"
#include "replicant/core/protocol/read_limits.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace replicant {

/// How long to let data gather in the socket before it is read again.
///
/// A reader that wakes up for every message takes time from the walsender, which sends each row by
/// itself (docs/adr/0011). So a busy stream is read now and then: more rarely while the next read
/// follows at once, less rarely when a read finds the socket nearly full, because a full one makes
/// the walsender wait. A stream that was silent is read at once: a lone transaction never waits.
class read_pace {
public:
  explicit read_pace(const read_limits& limits) : limits_{limits} {}

  /// What is here has been read: `frames` of `bytes` together.
  void on_read(std::size_t frames, std::size_t bytes, moment now) {
    const auto busy = bytes > 0 && now - last_data_ <= still_busy;
    if (!busy)
      pause_ = {};
    else if (nearly_full(frames, bytes))
      pause_ /= 2;
    else
      pause_ = std::min(std::max(pause_ * 2, least), limits_.longest);
    if (bytes > 0)
      last_data_ = now;
  }

  /// To let pass before the next read; zero: wait until there is something.
  [[nodiscard]] std::chrono::microseconds pause() const { return pause_; }

private:
  static constexpr std::chrono::milliseconds still_busy{5};
  static constexpr std::chrono::microseconds least{10};
  static constexpr std::size_t cost_of_a_message = 768; ///< Linux's, besides the payload.

  [[nodiscard]] bool nearly_full(std::size_t frames, std::size_t bytes) const {
    return limits_.room > 0 && bytes + frames * cost_of_a_message >= limits_.room / 4 * 3;
  }

  read_limits limits_;
  std::chrono::microseconds pause_{0};
  moment last_data_{};
};

} // namespace replicant
