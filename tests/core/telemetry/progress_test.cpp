// SPDX-License-Identifier: MIT
#include "replicant/tests/support/moving_pipeline.hpp"

#include <catch2/catch.hpp>

using namespace replicant;
using namespace replicant::test;
using namespace std::chrono_literals;

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
