// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/files/descriptor.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <thread>

namespace replicant::cli {

/// Turns SIGINT, SIGTERM and, unless it was ignored when the program began, SIGHUP into a call, on
/// a thread of its own. A second signal ends the process at once with 143, unless it comes within
/// 300 ms: then it is the same wish, told twice. So does the end of `patience` after the first:
/// whatever hangs meanwhile, a terminal that takes nothing more for example, does not keep it.
/// Ahead of these two ends `before_leaving` is called, on the object's thread: for what must not be
/// left behind; it must not wait for anybody.
///
/// To be made before any other thread, because threads inherit which signals are blocked; one at a
/// time. Signals are handled by the system's default again once it is gone.
class stop_signals {
public:
  static constexpr std::chrono::milliseconds patience_by_default{10'000};

  explicit stop_signals(std::function<void()> on_stop,
                        std::chrono::milliseconds patience = patience_by_default,
                        std::function<void()> before_leaving = {});
  ~stop_signals();

  stop_signals(const stop_signals&) = delete;
  stop_signals& operator=(const stop_signals&) = delete;

private:
  using clock = std::chrono::steady_clock;

  void watch();
  [[noreturn]] void leave() const;
  [[nodiscard]] int time_left(std::optional<clock::time_point> asked) const;

  std::function<void()> on_stop_;
  std::chrono::milliseconds patience_;
  std::function<void()> before_leaving_;
  descriptor signals_;
  descriptor leave_;
  std::jthread thread_;
};

} // namespace replicant::cli
