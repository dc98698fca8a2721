// SPDX-License-Identifier: MIT
#include "replicant/core/delivery/restart_policy.hpp"

#include <algorithm>

namespace replicant {

namespace {

constexpr std::size_t tolerated_crashes = 3;
constexpr std::chrono::seconds crash_window{5};

} // namespace

void restart_policy::on_connected(milliseconds wal_sender_timeout) {
  wal_sender_timeout_ =
    wal_sender_timeout == milliseconds{0} ? default_timeout : wal_sender_timeout;
}

void restart_policy::on_progress() {
  attempts_ = 0;
  command_failures_ = 0;
  active_since_.reset();
  may_stream_ = true;
}

std::optional<std::chrono::milliseconds> restart_policy::on_failure(const fault& what, moment now) {
  // A held slot is the usual echo of a connection that we gave up: it says nothing about the rest.
  if (what.why != reason::slot_active) {
    active_since_.reset();
    const auto silent = std::ranges::any_of(
      what.facts, [](const fact& one) { return one.kind == fact_kind::silence; });
    silences_ = silent ? silences_ + 1 : 0;
  }
  if (what.code.text() == internal_error || what.why == reason::rollback_undecided ||
      what.why == reason::too_many_streams)
    may_stream_ = false;
  switch (disposition_of(what.why)) {
    case disposition::halt: return std::nullopt;
    case disposition::retry: return next_delay();
    case disposition::wait_active:
      if (!active_since_)
        active_since_ = now;
      // Twice the time-out, since the server notices a dead client only at its own pace.
      if (now - *active_since_ > 2 * wal_sender_timeout_)
        return std::nullopt;
      return std::min(next_delay(), milliseconds{1000});
    case disposition::budget:
      if (what.why == reason::crashed)
        return crash_is_tolerable(now) ? std::optional{first_delay} : std::nullopt;
      return ++command_failures_ > max_command_retries_ ? std::nullopt
                                                        : std::optional{next_delay()};
  }
  return std::nullopt;
}

std::uint32_t restart_policy::patience() const {
  return 1U << std::min(silences_, 6U);
}

std::chrono::milliseconds restart_policy::next_delay() {
  const auto doublings = std::min(attempts_++, 20U);
  return std::min<milliseconds>(first_delay * (1LL << doublings), longest_delay);
}

bool restart_policy::crash_is_tolerable(moment now) {
  crashes_.push_back(now);
  while (now - crashes_.front() > crash_window)
    crashes_.pop_front();
  return crashes_.size() <= tolerated_crashes;
}

} // namespace replicant
