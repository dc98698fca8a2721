// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/moment.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace replicant {

/// How long to let data gather in the socket before it is read again.
///
/// A reader that wakes up for every message takes time from the walsender, which sends each row by
/// itself (docs/adr/0011). So a busy stream is read now and then: more rarely while each read
/// brings little and the next follows at once, less rarely when a read brings much, because a full
/// socket makes the walsender wait. A stream that was silent is read at once: a lone transaction
/// never waits.
class read_pace {
public:
  /// `longest`: what this kind of socket can take without being full.
  explicit read_pace(std::chrono::microseconds longest) : longest_{longest} {}

  /// The socket has been read until it was empty, which brought `bytes`.
  void on_read(std::size_t bytes, moment now) {
    const auto busy = bytes > 0 && now - last_data_ <= still_busy;
    if (!busy)
      pause_ = {};
    else if (bytes >= much)
      pause_ /= 2;
    else
      pause_ = std::clamp(pause_ * 2, least, longest_);
    if (bytes > 0)
      last_data_ = now;
  }

  /// To let pass before the next read; zero: wait until there is something.
  [[nodiscard]] std::chrono::microseconds pause() const { return pause_; }

private:
  static constexpr std::chrono::milliseconds still_busy{1};
  static constexpr std::chrono::microseconds least{10};
  static constexpr std::size_t much = std::size_t{32} * 1024;

  std::chrono::microseconds longest_;
  std::chrono::microseconds pause_{0};
  moment last_data_{};
};

} // namespace replicant
