// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/telemetry/pipeline_status.hpp"
#include "replicant/core/telemetry/progress.hpp"

#include <chrono>

namespace replicant::test {

/// A pipeline that streams, with a lag.
inline pipeline_status streaming() {
  pipeline_status one;
  one.name = "shop";
  one.phase = pipeline_phase::streaming;
  one.transactions = 100;
  one.changes = 1000;
  one.lag_bytes = 2048;
  one.in_flight_bytes = 512;
  one.last_commit_time = timestamp{10'000'000};
  return one;
}

/// `streaming` two seconds after it had done nothing yet, three after its last commit.
inline progress moved(const pipeline_status& now) {
  return progress_between({}, now, std::chrono::seconds{2}, timestamp{13'900'000});
}

} // namespace replicant::test
