// SPDX-License-Identifier: MIT
#include "replicant/tests/actors/pipeline_run.hpp"
#include "replicant/tests/support/wire_bytes.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

using namespace replicant;
using namespace replicant::test;
using namespace std::chrono_literals;

namespace {

/// Waits for the `count`th stream.
bool streams_again(const pipeline_run& run, std::size_t count) {
  return wait_until([&] { return run.server.streams().size() == count; }) &&
         run.reaches(pipeline_phase::streaming);
}

std::ptrdiff_t threads_of_process() {
  const std::filesystem::directory_iterator tasks{"/proc/self/task"};
  return std::distance(begin(tasks), end(tasks));
}

std::vector<std::chrono::milliseconds> delays_of(const pipeline_run& run) {
  std::vector<std::chrono::milliseconds> found;
  for (const auto& one : run.watcher->all(event_kind::generation_lost))
    found.push_back(one.delay);
  return found;
}

} // namespace

TEST_CASE("after a lost connection a new generation asks for what follows the last commit",
          "[actors][unit]") {
  pipeline_run run;
  REQUIRE(run.streams());
  run.server.send_transaction(200);
  REQUIRE(run.confirms(201));
  run.server.break_off({.why = reason::connection_lost});
  REQUIRE(streams_again(run, 2));
  CHECK(run.server.streams() == std::vector{lsn{100}, lsn{201}});
  const auto now = run.status();
  CHECK(now.reconnects == 1);
  REQUIRE(now.last_fault);
  CHECK(now.last_fault->why == reason::connection_lost);
  CHECK(run.ledger->sinks_made() == 2);
}

TEST_CASE("a sink without memory is given nothing twice, even when the acknowledgement was lost",
          "[actors][unit]") {
  pipeline_run run;
  REQUIRE(run.streams());
  REQUIRE(wait_until([&] { return run.server.statuses().size() == 1; }));
  run.server.plan.fail(source_call::send, reason::connection_lost, 1);
  run.server.send_transaction(200);
  REQUIRE(streams_again(run, 2));
  CHECK(run.server.streams() == std::vector{lsn{100}, lsn{201}});
  // Old servers start where the slot stands, whatever they are asked.
  run.server.send_transaction(200);
  run.server.send_transaction(300);
  REQUIRE(run.confirms(301));
  CHECK(run.ledger->commits() == std::vector<std::uint64_t>{200, 300});
}

TEST_CASE("another server in the place of the first is refused, though the sink remembers neither",
          "[actors][unit]") {
  pipeline_run run;
  REQUIRE(run.streams());
  run.server.send_transaction(200);
  REQUIRE(run.confirms(201));
  run.server.change_facts([](source_facts& facts) { facts.identity.system_identifier = "7"; });
  run.server.break_off({.why = reason::connection_lost});
  CHECK(to_string(run.halts()) == "session_identity_rejected differs=system_identifier");
  CHECK(run.server.streams().size() == 1);
}

TEST_CASE("a slot that moves while the connection is away is refused, whatever the sink remembers",
          "[actors][unit]") {
  pipeline_run run;
  SECTION("a sink without memory") {
    REQUIRE(run.streams());
  }
  SECTION("a sink that keeps no idle positions") {
    run.ledger->hold({sink_memory::position, watermark::before(lsn{100})});
    REQUIRE(run.streams());
  }
  run.server.send_transaction(200);
  REQUIRE(run.confirms(201));
  run.server.change_facts([](source_facts& facts) { facts.slot->confirmed = lsn{202}; });
  run.server.break_off({.why = reason::connection_lost});
  CHECK(to_string(run.halts()) == "slot_advanced expected=0/C9 found=0/CA");
  CHECK(run.server.streams().size() == 1);
}

TEST_CASE("what was open when the connection broke is delivered once, from the new stream",
          "[actors][unit]") {
  pipeline_run run;
  REQUIRE(run.streams());
  auto frames = transaction_frames(200, 3);
  const auto commit = frames.back();
  frames.pop_back();
  run.server.send(frames);
  REQUIRE(wait_until([&] { return run.server.frames_unread() == 0; }));
  run.server.break_off({.why = reason::connection_lost});
  REQUIRE(streams_again(run, 2));
  CHECK(run.server.streams().back() == lsn{100});
  run.server.send_transaction(200, 3);
  REQUIRE(run.takes({200}));
  CHECK(run.ledger->transactions().front().events == 3);
}

TEST_CASE("a server that cannot be reached is tried again with growing pauses, for ever",
          "[actors][unit]") {
  pipeline_run run;
  run.server.plan.fail(source_call::connect, reason::server_unavailable, 4);
  run.start();
  REQUIRE(run.reaches(pipeline_phase::waiting));
  CHECK(run.status().last_fault->why == reason::server_unavailable);
  REQUIRE(streams_again(run, 1));
  CHECK(delays_of(run) == std::vector<std::chrono::milliseconds>{100ms, 200ms, 400ms, 800ms});
  CHECK(run.status().reconnects == 4);
}

TEST_CASE("progress makes the pauses short again", "[actors][unit]") {
  pipeline_run run;
  run.server.plan.fail(source_call::connect, reason::server_unavailable, 2);
  REQUIRE(run.streams());
  run.server.send_transaction(200);
  REQUIRE(run.confirms(201));
  run.server.break_off({.why = reason::connection_lost});
  REQUIRE(streams_again(run, 2));
  CHECK(delays_of(run) == std::vector<std::chrono::milliseconds>{100ms, 200ms, 100ms});
}

TEST_CASE("a command that fails is tried a few times, then it needs a person", "[actors][unit]") {
  pipeline_run run;
  run.settings.max_command_retries = 2;
  run.server.plan.fail(source_call::start,
                       fault{.why = reason::command_failed, .code = sqlstate{"XX000"}});
  run.start();
  const auto why = run.halts();
  CHECK(why.why == reason::command_failed);
  CHECK(why.code.text() == "XX000");
  CHECK(run.status().reconnects == 2);
  CHECK(run.server.plan.count(source_call::start) == 3);
}

TEST_CASE("every generation has a sink of its own, and a target goes on where it stands",
          "[actors][unit]") {
  pipeline_run run;
  run.ledger->hold({sink_memory::position, watermark::before(lsn{100})});
  REQUIRE(run.streams<with_frontier<recording_sink>>());
  run.server.send_transaction(200);
  REQUIRE(run.confirms(201));
  run.server.break_off({.why = reason::connection_lost});
  REQUIRE(streams_again(run, 2));
  run.server.send_transaction(300);
  REQUIRE(run.takes({200, 300}));
  CHECK(run.ledger->transactions().front().generation == 1);
  CHECK(run.ledger->transactions().back().generation == 2);
}

TEST_CASE("a new sink is made only when the call of the old one has returned", "[actors][unit]") {
  pipeline_run run;
  run.ledger->plan.hold(sink_call::transaction);
  REQUIRE(run.streams());
  run.server.send_transaction(200);
  REQUIRE(wait_until([&] { return run.ledger->plan.waits_in(sink_call::transaction); }));
  run.server.break_off({.why = reason::connection_lost});
  REQUIRE(wait_until([&] { return run.server.open_connections() == 0; }));
  // Longer than the first pause between two generations.
  CHECK_FALSE(wait_until([&] { return run.ledger->plan.count(sink_call::make) > 1; }, 400ms));
  run.ledger->plan.release(sink_call::transaction);
  REQUIRE(streams_again(run, 2));
  CHECK(run.log->lines({"connect", "checkpoint"}) ==
        std::vector<std::string>{"sink made", "start 100", "transaction 200", "sink gone",
                                 "sink made", "start 201"});
}

TEST_CASE("generations leave no threads behind", "[actors][unit]") {
  pipeline_run run;
  run.ledger->durability_interval = 1h;
  REQUIRE(run.streams<with_deferral<recording_sink>>());
  const auto threads = threads_of_process();
  for (auto round = 2U; round <= 5; ++round) {
    run.server.send_transaction(100 * round);
    REQUIRE(wait_until([&] { return run.ledger->commits().size() == round - 1; }));
    run.server.break_off({.why = reason::connection_lost});
    REQUIRE(streams_again(run, round));
  }
  CHECK(wait_until([&] { return threads_of_process() == threads; }, 5s));
}
