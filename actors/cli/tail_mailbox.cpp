// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/tail_mailbox.hpp"

#include <utility>

namespace replicant::cli {

void tail_mailbox::put(tail_note note) {
  const std::lock_guard lock{mutex_};
  notes_.push_back(std::move(note));
  changed_.notify_one();
}

std::optional<tail_note> tail_mailbox::take(clock::time_point deadline) {
  std::unique_lock lock{mutex_};
  const auto some = [this] { return !notes_.empty(); };
  // A condition variable of libstdc++ cannot wait for the end of time.
  if (deadline == clock::time_point::max())
    changed_.wait(lock, some);
  else if (!changed_.wait_until(lock, deadline, some))
    return std::nullopt;
  auto first = std::move(notes_.front());
  notes_.pop_front();
  return first;
}

kept_event::kept_event(const telemetry_event& what) : event_{what}, table_{what.table} {
  event_.pipeline = {};
  event_.table = {};
}

telemetry_event kept_event::told() const {
  auto told = event_;
  told.table = table_;
  return told;
}

void mailing_observer::on_event(const telemetry_event& what) {
  to_.put(kept_event{what});
}

} // namespace replicant::cli
