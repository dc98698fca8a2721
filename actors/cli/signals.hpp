// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/postgres/descriptor.hpp"

#include <functional>
#include <thread>

namespace replicant::cli {

/// Makes the process fit to hold row values: a broken pipe and a file that may not grow are errors
/// instead of signals, and no core dump or debugger of another process can show its memory. To be
/// called first.
void harden_process();

/// Turns SIGINT and SIGTERM into a call, on a thread of its own. A second signal ends the process
/// at once with 143, unless it comes within 300 ms: then it is the same wish, told twice.
///
/// To be made before any other thread, because threads inherit which signals are blocked; one at a
/// time. Signals are handled by the system's default again once it is gone.
class stop_signals {
public:
  explicit stop_signals(std::function<void()> on_stop);
  ~stop_signals();

  stop_signals(const stop_signals&) = delete;
  stop_signals& operator=(const stop_signals&) = delete;

private:
  void watch();

  std::function<void()> on_stop_;
  postgres::descriptor signals_;
  postgres::descriptor leave_;
  std::jthread thread_;
};

} // namespace replicant::cli
