// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/run_events.hpp"

#include <utility>

namespace replicant::cli {

namespace {

class run_observer final : public observer {
public:
  run_observer(log_observer& log, metrics_observer& metrics, run_events& events)
    : log_{log}, metrics_{metrics}, events_{events} {}

  void on_event(const telemetry_event& what) override {
    log_.on_event(what);
    metrics_.on_event(what);
    if (what.kind == event_kind::halted)
      events_.tell_halted();
  }

private:
  log_observer& log_;
  metrics_observer& metrics_;
  run_events& events_;
};

} // namespace

void run_events::tell_stop() {
  const std::lock_guard lock{mutex_};
  pending_.stop = true;
  changed_.notify_all();
}

void run_events::tell_halted() {
  const std::lock_guard lock{mutex_};
  pending_.halted = true;
  changed_.notify_all();
}

run_events::news run_events::wait(clock::time_point deadline) {
  std::unique_lock lock{mutex_};
  changed_.wait_until(lock, deadline, [this] { return pending_.stop || pending_.halted; });
  return std::exchange(pending_, {});
}

std::shared_ptr<observer> make_run_observer(log_observer& log, metrics_observer& metrics,
                                            run_events& events) {
  return std::make_shared<run_observer>(log, metrics, events);
}

} // namespace replicant::cli
