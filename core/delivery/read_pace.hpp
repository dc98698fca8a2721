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
/// itself (docs/adr/0011). So a busy stream is read now and then, more rarely the longer it stays
/// busy. Where messages come one by one each is read at once: a lone transaction never waits.
class read_pace {
public:
  /// `longest`: how long this kind of socket can take it.
  explicit read_pace(std::chrono::microseconds longest) : longest_{longest} {}

  void on_frame() { ++frames_; }

  /// What was here has been read.
  void on_drained(moment now) {
    pause_ =
      busy(now) ? std::min(std::max(pause_ * 2, least), longest_) : std::chrono::microseconds{0};
    if (frames_ > 0)
      last_data_ = now;
    frames_ = 0;
  }

  /// To let pass before the next read; zero: wait until there is something.
  [[nodiscard]] std::chrono::microseconds pause() const { return pause_; }

  /// Whether something has come within the last milliseconds.
  [[nodiscard]] bool lively(moment now) const { return now - last_data_ <= still_lively; }

private:
  static constexpr std::chrono::milliseconds still_lively{5};
  static constexpr double busy_frames = 20; ///< A millisecond. Fewer are worth a wake-up each.
  static constexpr std::chrono::microseconds least{50}; ///< A shorter sleep costs no less.

  [[nodiscard]] bool busy(moment now) const {
    const std::chrono::duration<double, std::milli> since = now - last_data_;
    return frames_ > 0 && static_cast<double>(frames_) >= busy_frames * since.count();
  }

  std::chrono::microseconds longest_;
  std::chrono::microseconds pause_{0};
  std::size_t frames_ = 0; ///< Since the socket was last empty.
  moment last_data_{};
};

} // namespace replicant
