// SPDX-License-Identifier: MIT
#include "replicant/tests/actors/pipeline_run.hpp"

#include <catch2/catch.hpp>

#include <future>

using namespace replicant;
using namespace replicant::test;
using namespace std::chrono_literals;

namespace {

/// How long `call` takes.
template <class Call>
std::chrono::steady_clock::duration time_of(Call call) {
  const auto begin = std::chrono::steady_clock::now();
  call();
  return std::chrono::steady_clock::now() - begin;
}

/// A stop under way in a thread of its own.
std::future<pipeline_status> stop_aside(pipeline_run& run) {
  return std::async(std::launch::async, [&run] { return run.stop(); });
}

} // namespace

TEST_CASE("a stop finishes what is in hand, makes it durable, acknowledges it and says goodbye",
          "[actors][unit]") {
  pipeline_run run;
  run.ledger->durability_interval = 1h;
  run.ledger->plan.hold(sink_call::transaction);
  REQUIRE(run.streams<with_deferral<recording_sink>>());
  run.server.send_transaction(200);
  REQUIRE(wait_until([&] { return run.ledger->plan.waits_in(sink_call::transaction); }));
  auto stopped = stop_aside(run);
  REQUIRE(run.reaches(pipeline_phase::stopping));
  CHECK(run.server.confirmed() == lsn{100});
  run.ledger->plan.release(sink_call::transaction);
  const auto last = stopped.get();
  CHECK(last.phase == pipeline_phase::stopped);
  CHECK_FALSE(last.last_fault);
  CHECK(last.transactions == 1);
  CHECK(last.acknowledged == lsn{201});
  CHECK(run.server.farewells() == std::vector{lsn{201}});
  CHECK(run.server.open_connections() == 0);
  CHECK(run.log->lines({"connect", "checkpoint", "start 100"}) ==
        std::vector<std::string>{"sink made", "transaction 200", "make durable", "finish",
                                 "sink gone"});
}

TEST_CASE("a stop reads nothing more", "[actors][unit]") {
  pipeline_run run;
  run.ledger->plan.hold(sink_call::transaction);
  REQUIRE(run.streams());
  run.server.send_transaction(200);
  REQUIRE(wait_until([&] { return run.ledger->plan.waits_in(sink_call::transaction); }));
  auto stopped = stop_aside(run);
  REQUIRE(run.reaches(pipeline_phase::stopping));
  // Behind the order to drain, which stands in the connection's mailbox already.
  run.server.send_transaction(300);
  run.ledger->plan.release(sink_call::transaction);
  CHECK(stopped.get().phase == pipeline_phase::stopped);
  CHECK(run.ledger->commits() == std::vector<std::uint64_t>{200});
  CHECK(run.server.frames_unread() > 0);
}

TEST_CASE("a stop interrupts a connection that is being made", "[actors][unit]") {
  pipeline_run run;
  const auto where = GENERATE(source_call::connect, source_call::create_slot, source_call::start);
  run.settings.go_forward_only = true;
  run.server.change_facts([](source_facts& facts) { facts.slot.reset(); });
  run.server.plan.hold(where);
  run.start();
  REQUIRE(wait_until([&] { return run.server.plan.waits_in(where); }));
  pipeline_status last;
  CHECK(time_of([&] { last = run.stop(); }) < 2s);
  CHECK(last.phase == pipeline_phase::stopped);
  CHECK(run.server.interrupts() > 0);
  CHECK(run.server.open_connections() == 0);
}

TEST_CASE("a stop ends a pause between two attempts at once", "[actors][unit]") {
  pipeline_run run;
  run.server.plan.fail(source_call::connect, reason::server_unavailable);
  run.start();
  REQUIRE(wait_until([&] {
    const auto lost = run.watcher->all(event_kind::generation_lost);
    return !lost.empty() && lost.back().delay >= 3200ms;
  }));
  const auto attempts = run.server.plan.count(source_call::connect);
  pipeline_status last;
  CHECK(time_of([&] { last = run.stop(); }) < 2s);
  CHECK(last.phase == pipeline_phase::stopped);
  CHECK(run.server.plan.count(source_call::connect) == attempts);
}

TEST_CASE("a stopped pipeline does not hold its actor system back by timers", "[actors][unit]") {
  auto run = std::make_unique<pipeline_run>();
  SECTION("of a pause between two attempts") {
    run->server.plan.fail(source_call::connect, reason::server_unavailable);
    run->start();
    REQUIRE(wait_until([&] {
      const auto lost = run->watcher->all(event_kind::generation_lost);
      return !lost.empty() && lost.back().delay >= 3200ms;
    }));
  }
  SECTION("of a connection and a deferred sink") {
    run->ledger->durability_interval = 1h;
    REQUIRE(run->streams<with_deferral<recording_sink>>());
    run->server.send_transaction(200);
    REQUIRE(run->takes({200}));
  }
  run->stop();
  CHECK(time_of([&] { run.reset(); }) < 2s);
}

TEST_CASE("a second stop is answered like the first", "[actors][unit]") {
  pipeline_run run;
  run.ledger->plan.hold(sink_call::transaction);
  REQUIRE(run.streams());
  run.server.send_transaction(200);
  REQUIRE(wait_until([&] { return run.ledger->plan.waits_in(sink_call::transaction); }));
  auto first = stop_aside(run);
  REQUIRE(run.reaches(pipeline_phase::stopping));
  auto second = stop_aside(run);
  run.ledger->plan.release(sink_call::transaction);
  CHECK(second.wait_for(5s) == std::future_status::ready);
  CHECK(first.get().phase == pipeline_phase::stopped);
  CHECK(second.get().phase == pipeline_phase::stopped);
  CHECK(run.stop().phase == pipeline_phase::stopped);
  CHECK(run.server.farewells().size() == 1);
}

TEST_CASE("a stop of a halted pipeline tells the halt", "[actors][unit]") {
  pipeline_run run;
  run.ledger->plan.fail(sink_call::transaction, reason::sink_failed);
  REQUIRE(run.streams());
  run.server.send_transaction(200);
  REQUIRE(run.reaches(pipeline_phase::halted));
  const auto last = run.stop();
  CHECK(last.phase == pipeline_phase::halted);
  REQUIRE(last.last_fault);
  CHECK(last.last_fault->why == reason::sink_failed);
  CHECK(run.watcher->all(event_kind::stopped).empty());
}

TEST_CASE("a sink that fails while the pipeline stops halts it", "[actors][unit]") {
  pipeline_run run;
  run.ledger->durability_interval = 1h;
  run.ledger->plan.fail(sink_call::make_durable, reason::sink_failed);
  REQUIRE(run.streams<with_deferral<recording_sink>>());
  run.server.send_transaction(200);
  REQUIRE(run.takes({200}));
  const auto last = run.stop();
  CHECK(last.phase == pipeline_phase::halted);
  REQUIRE(last.last_fault);
  CHECK(last.last_fault->why == reason::sink_failed);
  CHECK(run.server.confirmed() == lsn{100});
}

TEST_CASE("a stop gives up waiting for a blocked sink after its patience", "[actors][unit]") {
  pipeline_run run;
  run.ledger->plan.hold(sink_call::transaction);
  REQUIRE(run.streams());
  run.server.send_transaction(200);
  REQUIRE(wait_until([&] { return run.ledger->plan.waits_in(sink_call::transaction); }));
  pipeline_status last;
  CHECK(time_of([&] { last = run.stop(200ms); }) < 5s);
  CHECK(last.phase == pipeline_phase::stopping);
  run.ledger->plan.release(sink_call::transaction);
  CHECK(run.reaches(pipeline_phase::stopped));
  CHECK(run.server.confirmed() == lsn{201});
}

TEST_CASE("a connection that is lost while the pipeline stops is not made again",
          "[actors][unit]") {
  pipeline_run run;
  run.ledger->plan.hold(sink_call::transaction);
  REQUIRE(run.streams());
  run.server.send_transaction(200);
  REQUIRE(wait_until([&] { return run.ledger->plan.waits_in(sink_call::transaction); }));
  auto stopped = stop_aside(run);
  REQUIRE(run.reaches(pipeline_phase::stopping));
  run.server.break_off({.why = reason::connection_lost});
  REQUIRE(wait_until([&] { return run.server.open_connections() == 0; }));
  run.ledger->plan.release(sink_call::transaction);
  CHECK(stopped.get().phase == pipeline_phase::stopped);
  CHECK(run.server.plan.count(source_call::connect) == 1);
}

TEST_CASE("a stop right after the start leaves nothing running", "[actors][unit]") {
  for (auto round = 0; round < 20; ++round) {
    pipeline_run run;
    run.start();
    CHECK(run.stop().phase == pipeline_phase::stopped);
    CHECK(run.server.open_connections() == 0);
  }
}
