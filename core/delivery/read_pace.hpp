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

  void on_frame(std::size_t bytes) {
    ++frames_;
    bytes_ += bytes;
  }

  /// What was here has been read.
  void on_drained(moment now) {
    if (nearly_full())
      pause_ = std::max(pause_ / 2, least);
    else if (busy(now))
      pause_ = std::max(pause_ * 2, least);
    else
      pause_ = {};
    pause_ = std::min(pause_, limits_.longest);
    if (frames_ > 0)
      last_data_ = now;
    frames_ = bytes_ = 0;
  }

  /// To let pass before the next read; zero: wait until there is something.
  [[nodiscard]] std::chrono::microseconds pause() const { return pause_; }

  /// Whether something has come within the last milliseconds.
  [[nodiscard]] bool lively(moment now) const { return now - last_data_ <= still_lively; }

private:
  static constexpr std::chrono::milliseconds still_lively{5};
  static constexpr double busy_frames = 20; ///< A millisecond. Fewer are worth a wake-up each.
  static constexpr std::chrono::microseconds least{50}; ///< A shorter sleep costs no less.
  static constexpr std::size_t cost_of_a_message = 768; ///< Linux's, besides the payload.

  [[nodiscard]] bool busy(moment now) const {
    const std::chrono::duration<double, std::milli> since = now - last_data_;
    return frames_ > 0 && static_cast<double>(frames_) >= busy_frames * since.count();
  }

  [[nodiscard]] bool nearly_full() const {
    return limits_.room > 0 && bytes_ + frames_ * cost_of_a_message >= limits_.room / 4 * 3;
  }

  read_limits limits_;
  std::size_t frames_ = 0; ///< Since the socket was last empty.
  std::size_t bytes_ = 0;  ///< Of these.
  std::chrono::microseconds pause_{0};
  moment last_data_{};
};

} // namespace replicant
