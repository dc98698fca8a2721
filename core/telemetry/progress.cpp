// SPDX-License-Identifier: MIT
#include "replicant/core/telemetry/progress.hpp"

#include <algorithm>

namespace replicant {

std::optional<std::chrono::microseconds> commit_lag(const pipeline_status& one, timestamp clock) {
  using std::chrono::microseconds;
  if (one.in_flight_bytes == 0 || one.last_commit_time == timestamp{})
    return std::nullopt;
  const microseconds since{clock.microseconds - one.last_commit_time.microseconds};
  return std::max(since, microseconds{0}); // Two clocks may disagree.
}

progress progress_between(const pipeline_status& before, const pipeline_status& now,
                          std::chrono::duration<double> elapsed, timestamp clock) {
  const auto rate = [elapsed](std::uint64_t from, std::uint64_t to) {
    return elapsed.count() > 0 ? static_cast<double>(to - from) / elapsed.count() : 0;
  };
  const auto lag = commit_lag(now, clock);
  return {.pipeline = now.name,
          .transactions_per_second = rate(before.transactions, now.transactions),
          .changes_per_second = rate(before.changes, now.changes),
          .lag_bytes = now.lag_bytes,
          .lag = lag ? std::optional{std::chrono::floor<std::chrono::seconds>(*lag)} : std::nullopt,
          .paced = now.paced};
}

} // namespace replicant
