// SPDX-License-Identifier: MIT
#include "replicant/tests/actors/pipeline_run.hpp"
#include "replicant/tests/support/wire_bytes.hpp"

#include <catch2/catch.hpp>

using namespace replicant;
using namespace replicant::test;
using namespace std::chrono_literals;

namespace {

constexpr auto tolerable = 2s; ///< What a fast stop of the server may take.

bool is_left(const pipeline_run& run, std::chrono::milliseconds patience = tolerable) {
  return wait_until([&] { return run.server.open_connections() == 0; }, patience);
}

/// Asks for one position again and again, as a server does that shuts down.
bool is_left_when_asked(pipeline_run& run, std::uint64_t position,
                        std::chrono::milliseconds patience) {
  const auto streams = run.server.streams().size();
  return wait_until(
    [&] {
      run.server.send_keepalive(position, true);
      return run.server.open_connections() == 0 || run.server.streams().size() > streams;
    },
    patience);
}

void block_sink(pipeline_run& run) {
  run.ledger->plan.hold(sink_call::transaction);
  REQUIRE(run.streams());
  run.server.send_transaction(200);
  REQUIRE(wait_until([&] { return run.ledger->plan.waits_in(sink_call::transaction); }));
}

} // namespace

TEST_CASE("a server that says it shuts down is let go at once, and met again", "[actors][unit]") {
  pipeline_run run;
  REQUIRE(run.streams());
  run.server.leave();
  REQUIRE(wait_until([&] { return run.server.streams().size() == 2; }));
  CHECK(run.status().last_fault->why == reason::server_unavailable);
  const auto kinds = run.watcher->landmarks();
  const auto leaving = std::ranges::find(kinds, event_kind::server_leaving);
  REQUIRE(leaving != kinds.end());
  CHECK(*std::next(leaving) == event_kind::disconnected);
  CHECK(*std::next(leaving, 2) == event_kind::generation_lost);
}

TEST_CASE("a server that shuts down is let go though the sink is blocked", "[actors][unit]") {
  pipeline_run run;
  block_sink(run);
  run.server.leave();
  CHECK(is_left(run));
  CHECK(run.ledger->plan.waits_in(sink_call::transaction));
}

TEST_CASE("a server that shuts down is let go though reading rests", "[actors][unit]") {
  pipeline_run run;
  run.settings.max_inflight_lag = 1000;
  block_sink(run);
  for (std::uint64_t commit = 1000; commit < 400'000; commit += 1000)
    run.server.send_transaction(commit, 1, 1000);
  REQUIRE(wait_until([&] { return run.status().paced; }));
  run.server.leave();
  CHECK(is_left(run));
}

TEST_CASE("a server that keeps asking for what the sink does not return is let go",
          "[actors][unit]") {
  pipeline_run run;
  block_sink(run);
  CHECK(is_left_when_asked(run, 500, tolerable));
  CHECK(run.ledger->plan.waits_in(sink_call::transaction));
}

TEST_CASE("a server that keeps asking inside of an open transaction is let go", "[actors][unit]") {
  pipeline_run run;
  REQUIRE(run.streams());
  auto frames = transaction_frames(200);
  frames.pop_back();
  run.server.send(frames);
  CHECK(is_left_when_asked(run, 500, tolerable));
}

TEST_CASE("a server that keeps asking for a position that can be acknowledged is kept",
          "[actors][unit]") {
  pipeline_run run;
  REQUIRE(run.streams<with_frontier<recording_sink>>());
  // Longer than what is granted to a server that asks in vain.
  CHECK_FALSE(is_left_when_asked(run, 500, 1500ms));
  CHECK(run.server.confirmed() == lsn{500});
}
