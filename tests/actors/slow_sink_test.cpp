// SPDX-License-Identifier: MIT
#include "replicant/tests/actors/pipeline_run.hpp"
#include "replicant/tests/support/wire_bytes.hpp"

#include <catch2/catch.hpp>

#include <future>

using namespace replicant;
using namespace replicant::test;
using namespace std::chrono_literals;

namespace {

constexpr std::uint64_t bound = std::uint64_t{64} * 1024;

void send_many(scripted_server& server) {
  for (std::uint64_t i = 1; i <= 2000; ++i)
    server.send_transaction(1000 * i, 2, 500);
}

void halt_slow_sinks(pipeline_run& run) {
  run.settings.max_inflight_lag = bound;
  run.settings.on_slow_sink = slow_sink_policy::halt;
}

} // namespace

TEST_CASE("a sink that stays at the bound halts as too slow where that is asked for",
          "[actors][unit]") {
  pipeline_run run;
  halt_slow_sinks(run);
  run.ledger->plan.hold(sink_call::transaction);
  send_many(run.server);
  REQUIRE(run.streams());
  // Told at once, though the sink's call is still awaited.
  REQUIRE(wait_until([&] { return run.status().last_fault.has_value(); }));
  CHECK(run.status().last_fault->why == reason::sink_too_slow);
  CHECK(run.status().last_fault->at == lsn{99});
  CHECK(run.server.confirmed() == lsn{100});
  run.ledger->plan.release(sink_call::transaction);
  CHECK(run.halts().why == reason::sink_too_slow);
  CHECK(run.server.plan.count(source_call::connect) == 1);
}

TEST_CASE("a sink that comes back in time does not halt", "[actors][unit]") {
  pipeline_run run;
  halt_slow_sinks(run);
  run.ledger->plan.hold(sink_call::transaction);
  send_many(run.server);
  REQUIRE(run.streams());
  REQUIRE(wait_until([&] { return run.status().paced; }));
  run.ledger->plan.release(sink_call::transaction);
  CHECK(run.confirms(2'000'001));
  CHECK_FALSE(run.status().last_fault);
}

TEST_CASE("an open batch is no slow sink", "[actors][unit]") {
  pipeline_run run;
  halt_slow_sinks(run);
  run.settings.max_inflight_lag = std::uint64_t{2} << 20U;
  run.settings.batch_delivery = {.max_transactions = 1'000'000, .max_delay = 1h};
  REQUIRE(run.streams<with_batches<recording_sink>>());
  // A batch that is too small to end by itself, and behind it a transaction that fills the credit.
  run.server.send_transaction(200, 1600, 500);
  auto frames = transaction_frames(300, 40'000, 500);
  frames.pop_back();
  run.server.send(frames);
  REQUIRE(wait_until([&] {
    return run.server.frames_unread() == 0 || run.status().phase == pipeline_phase::halted;
  }));
  CHECK_FALSE(run.status().last_fault);
  CHECK(run.ledger->commits() == std::vector<std::uint64_t>{200});
}

TEST_CASE("a stop waits for a slow sink as long as it takes", "[actors][unit]") {
  pipeline_run run;
  halt_slow_sinks(run);
  run.ledger->plan.hold(sink_call::transaction);
  send_many(run.server);
  REQUIRE(run.streams());
  REQUIRE(wait_until([&] { return run.status().paced; }));
  auto stopped = std::async(std::launch::async, [&run] { return run.stop(); });
  CHECK(stopped.wait_for(1500ms) == std::future_status::timeout);
  run.ledger->plan.release(sink_call::transaction);
  CHECK(stopped.get().phase == pipeline_phase::stopped);
}
