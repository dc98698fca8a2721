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

void mailing_observer::on_event(const telemetry_event& what) {
  auto kept = what;
  kept.pipeline = {}; // Valid during this call only.
  to_.put(kept);
}

} // namespace replicant::cli
