// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/log_observer.hpp"
#include "replicant/actors/metrics_observer.hpp"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

namespace replicant::cli {

/// What the main thread of `replicant run` waits for. Any thread may tell it something.
class run_events {
public:
  using clock = std::chrono::steady_clock;

  /// What has happened since the last call of `wait`.
  struct news {
    bool stop = false;   ///< Somebody asked to stop.
    bool halted = false; ///< At least one pipeline has halted.
  };

  void tell_stop();
  void tell_halted();

  /// Waits for news, or until `deadline` without any.
  [[nodiscard]] news wait(clock::time_point deadline);

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  news pending_;
};

/// Logs and counts what happens to pipelines and tells the main thread of halts. All three have to
/// outlive it.
[[nodiscard]] std::shared_ptr<observer>
make_run_observer(log_observer& log, metrics_observer& metrics, run_events& events);

} // namespace replicant::cli
