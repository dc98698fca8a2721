// SPDX-License-Identifier: MIT
#include "replicant/core/telemetry/progress.hpp"

#include <catch2/catch.hpp>

using namespace replicant;
using namespace std::chrono_literals;

namespace {

pipeline_status streaming() {
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
progress moved(const pipeline_status& now) {
  return progress_between({}, now, 2s, timestamp{13'900'000});
}

} // namespace

TEST_CASE("progress is what happened between two statuses", "[telemetry][unit]") {
  const auto one = streaming();
  const auto told = moved(one);
  CHECK(told.pipeline == "shop");
  CHECK(told.transactions_per_second == 50);
  CHECK(told.changes_per_second == 500);
  CHECK(told.lag_bytes == 2048);
  CHECK(told.lag == 3s);
  CHECK(progress_between(one, one, 0s, {}).transactions_per_second == 0);
}

TEST_CASE("the lag in time is that of the last commit, while rows are in flight",
          "[telemetry][unit]") {
  auto one = streaming();
  one.last_commit_time = timestamp{14'000'000}; // By a clock that is ahead of ours.
  CHECK(moved(one).lag == 0s);
  one.last_commit_time = {};
  CHECK_FALSE(moved(one).lag);
}

TEST_CASE("WAL that holds nothing published is no lag in time", "[telemetry][unit]") {
  auto one = streaming();
  one.in_flight_bytes = 0;
  CHECK(moved(one).lag_bytes == 2048);
  CHECK_FALSE(moved(one).lag);
}
