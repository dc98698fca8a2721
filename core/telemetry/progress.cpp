// SPDX-License-Identifier: MIT
#include "replicant/core/telemetry/progress.hpp"

#include <algorithm>

namespace replicant {

namespace {

std::optional<std::chrono::seconds> lag_of(const pipeline_status& one, timestamp clock) {
  using namespace std::chrono;
  if (one.in_flight_bytes == 0 || one.last_commit_time == timestamp{})
    return std::nullopt;
  const microseconds since{clock.microseconds - one.last_commit_time.microseconds};
  return std::max(floor<seconds>(since), seconds{0}); // Two clocks may disagree.
}

} // namespace

progress progress_between(const pipeline_status& before, const pipeline_status& now,
                          std::chrono::duration<double> elapsed, timestamp clock) {
  const auto rate = [elapsed](std::uint64_t from, std::uint64_t to) {
    return elapsed.count() > 0 ? static_cast<double>(to - from) / elapsed.count() : 0;
  };
  return {.pipeline = now.name,
          .transactions_per_second = rate(before.transactions, now.transactions),
          .changes_per_second = rate(before.changes, now.changes),
          .lag_bytes = now.lag_bytes,
          .lag = lag_of(now, clock),
          .paced = now.paced};
}

} // namespace replicant
