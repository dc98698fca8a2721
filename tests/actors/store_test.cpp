// SPDX-License-Identifier: MIT
#include "replicant/tests/actors/pipeline_run.hpp"
#include "replicant/tests/support/wire_bytes.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <stdexcept>

using namespace replicant;
using namespace replicant::test;
using namespace std::chrono_literals;

namespace {

using positions = std::vector<std::uint64_t>;
using names = std::vector<std::string>;

/// A pipeline whose position is kept in a store, which holds no position yet.
struct stored_run : pipeline_run {
  stored_run() {
    settings.checkpoint_store.emplace();
    settings.checkpoint_store->retry = {.max_retries = 5, .backoff = 1ms};
    store->hold({.held = {.memory = sink_memory::prepared}, .source = server.identity()});
  }
};

/// What was done by the sink and its store, in order.
names done(const pipeline_run& run) {
  names found;
  for (const auto& line : run.log->lines())
    if (line.starts_with("transaction ") || line.starts_with("write ") ||
        line.starts_with("message ") || line == "make durable")
      found.push_back(line);
  return found;
}

std::uint64_t events(const pipeline_run& run, event_kind kind) {
  std::uint64_t found = 0;
  for (const auto& one : run.watcher->entries())
    found += one.what.kind == kind ? 1U : 0U;
  return found;
}

} // namespace

TEST_CASE("a position is stored behind each transaction, and acknowledged behind that",
          "[actors][unit]") {
  stored_run run;
  REQUIRE(run.streams());
  run.store->plan.hold(store_call::write);
  // All in one chunk.
  for (const auto commit : {200U, 300U, 400U})
    run.server.send_transaction(commit);
  REQUIRE(wait_until([&] { return run.store->plan.waits_in(store_call::write); }));
  const auto confirmed = run.server.confirmed();
  CHECK(run.ledger->commits() == positions{200});
  CHECK(run.asks() == confirmed.value());
  run.store->plan.release(store_call::write);
  REQUIRE(run.confirms(401));
  const auto written = run.store->written();
  CHECK(positions(written.end() - 3, written.end()) == positions{200, 300, 400});
}

TEST_CASE("the store and not the sink says where to begin", "[actors][unit]") {
  stored_run run;
  run.ledger->hold({.memory = sink_memory::position, .durable = watermark::through(lsn{900})});
  run.store->hold(
    {.held = {.memory = sink_memory::position, .durable = watermark::through(lsn{200})},
     .source = run.server.identity()});
  run.server.hold_slot(lsn{150});
  REQUIRE(run.streams());
  CHECK(run.server.streams().back() == lsn{201});
  CHECK(run.ledger->plan.count(sink_call::checkpoint) == 0);
}

TEST_CASE("a row is made before the slot is", "[actors][unit]") {
  stored_run run;
  run.store->hold({.held = {.memory = sink_memory::empty}});
  run.server.change_facts([](source_facts& facts) { facts.slot.reset(); });
  SECTION("with permission to begin now") {
    run.settings.go_forward_only = true;
    REQUIRE(run.streams());
    const auto lines = run.log->lines();
    const auto at = [&](std::string_view what) { return std::ranges::find(lines, what); };
    CHECK(at("prepare") < at("create slot"));
    CHECK(at("create slot") < lines.end());
    CHECK(wait_until([&] { return run.store->written() == positions{499}; }));
  }
  SECTION("without") {
    run.start();
    CHECK(run.halts().why == reason::go_forward_required);
    CHECK_FALSE(run.log->holds("prepare"));
  }
}

TEST_CASE("a store that knows another source is refused", "[actors][unit]") {
  stored_run run;
  auto other = run.server.identity();
  other.system_identifier = "1";
  run.store->hold(
    {.held = {.memory = sink_memory::position, .durable = watermark::through(lsn{200})},
     .source = other});
  run.server.hold_slot(lsn{150});
  run.start();
  CHECK(run.halts().why == reason::session_identity_rejected);
  CHECK(run.server.streams().empty());
  CHECK_FALSE(run.log->holds("prepare"));
}

TEST_CASE("a slot without a row, and one moved past it, are refused", "[actors][unit]") {
  stored_run run;
  run.server.hold_slot(lsn{150});
  SECTION("no row") {
    run.store->hold({.held = {.memory = sink_memory::empty}});
    run.start();
    CHECK(run.halts().why == reason::checkpoint_missing);
  }
  SECTION("moved") {
    run.store->hold(
      {.held = {.memory = sink_memory::position, .durable = watermark::through(lsn{100})},
       .source = run.server.identity()});
    run.start();
    CHECK(run.halts().why == reason::slot_advanced);
  }
  CHECK_FALSE(run.log->holds("prepare"));
  CHECK(run.store->written().empty());
}

TEST_CASE("a batch of checkpoints is written once, for transactions delivered one by one",
          "[actors][unit]") {
  stored_run run;
  run.settings.checkpoint_store->batch = {.max_transactions = 3, .max_delay = 1h};
  REQUIRE(run.streams());
  for (const auto commit : {200U, 300U, 400U, 500U})
    run.server.send_transaction(commit);
  REQUIRE(run.takes({200, 300, 400, 500}));
  CHECK(run.confirms(401));
  CHECK(run.store->written().back() == 400);
  // The rest is stored by an orderly end.
  run.stop();
  CHECK(run.store->written().back() == 500);
}

TEST_CASE("a message ends a batch of checkpoints, and its own position is stored",
          "[actors][unit]") {
  stored_run run;
  run.settings.messages = true;
  run.settings.checkpoint_store->batch = {.max_transactions = 100, .max_delay = 1h};
  run.server.send_transaction(200);
  run.server.send({data_frame(lsn{300}, message_payload(false, lsn{300}, "p", "m"))});
  REQUIRE(run.streams<with_messages<recording_sink>>());
  REQUIRE(run.confirms(300));
  const auto lines = done(run);
  CHECK(names(lines.end() - 4, lines.end()) ==
        names{"transaction 200", "write 200", "message 300", "write 299"});
}

TEST_CASE("what a deferred sink has taken is durable before its position is stored",
          "[actors][unit]") {
  stored_run run;
  REQUIRE(run.streams<with_deferral<recording_sink>>());
  run.server.send_transaction(200);
  REQUIRE(run.confirms(201));
  const auto lines = done(run);
  CHECK(names(lines.end() - 3, lines.end()) ==
        names{"transaction 200", "make durable", "write 200"});
}

TEST_CASE("a store that fails for a while is tried again, and nothing is delivered meanwhile",
          "[actors][unit]") {
  stored_run run;
  run.settings.checkpoint_store->retry.backoff = 20ms;
  REQUIRE(run.streams());
  REQUIRE(wait_until([&] { return !run.store->written().empty(); })); // The origin.
  run.store->plan.fail(store_call::write, {.why = reason::connection_lost}, 3);
  run.server.send_transaction(200);
  run.server.send_transaction(300);
  REQUIRE(run.confirms(301));
  CHECK(done(run) ==
        names{done(run).front(), "transaction 200", "write 200", "transaction 300", "write 300"});
  CHECK(events(run, event_kind::store_retrying) == 3);
  CHECK(events(run, event_kind::store_recovered) == 1);
  CHECK(run.status().store_failures == 0);
  CHECK(run.status().reconnects == 0);
}

TEST_CASE("a store that goes on failing halts, with nothing acknowledged", "[actors][unit]") {
  stored_run run;
  const auto [retries, attempts] = GENERATE(std::pair{0U, 1}, std::pair{2U, 3});
  run.settings.checkpoint_store->retry.max_retries = retries;
  REQUIRE(run.streams());
  REQUIRE(wait_until([&] { return !run.store->written().empty(); }));
  const auto origin = run.server.confirmed();
  const auto before = run.store->plan.count(store_call::write);
  run.store->plan.fail(store_call::write, {.why = reason::connection_lost});
  run.server.send_transaction(200);
  const auto why = run.halts();
  CHECK(to_string(why) == "checkpoint_store_failed cause=connection_lost");
  CHECK(run.store->plan.count(store_call::write) - before == attempts);
  CHECK(run.server.confirmed() == origin);
  CHECK(run.status().store_failures == 0);
}

TEST_CASE("what no time cures halts at the first attempt", "[actors][unit]") {
  stored_run run;
  const auto at = GENERATE(store_call::read, store_call::prepare);
  run.store->plan.fail(at, {.why = reason::permission_denied, .code = sqlstate{"42501"}});
  run.start();
  const auto why = run.halts();
  CHECK(to_string(why) == "checkpoint_store_failed sqlstate=42501 cause=permission_denied");
  CHECK(run.store->plan.count(at) == 1);
  CHECK(run.server.streams().empty());
}

TEST_CASE("a host's store that throws halts, and its words are dropped", "[actors][unit]") {
  stored_run run;
  run.store->plan.raise(store_call::read, "secret");
  run.start();
  CHECK(run.halts().why == reason::checkpoint_store_failed);
}

TEST_CASE("a host's own store is used without a word in the settings", "[actors][unit]") {
  pipeline_run run;
  run.store->hold({.held = {.memory = sink_memory::prepared}, .source = run.server.identity()});
  const auto pipeline = replicant::start(
    run.home()->system, run.settings,
    {run.server.connections(), sinks_over<recording_sink>(run.ledger), stores_over(run.store)});
  run.server.send_transaction(200);
  CHECK(run.confirms(201));
  CHECK(run.store->written().back() == 200);
  stop(run.home()->system, pipeline);
}

TEST_CASE("a host's factory that makes no store halts", "[actors][unit]") {
  pipeline_run run;
  const auto make = GENERATE(
    as<checkpoint_store_factory>{}, [] { return nullptr; },
    []() -> std::unique_ptr<checkpoint_store> { throw std::runtime_error{"secret"}; });
  const auto pipeline =
    replicant::start(run.home()->system, run.settings,
                     {run.server.connections(), sinks_over<recording_sink>(run.ledger), make});
  const auto now = [&] { return status(run.home()->system, pipeline); };
  REQUIRE(wait_until([&] { return now().phase == pipeline_phase::halted; }));
  CHECK(now().last_fault->why == reason::checkpoint_store_failed);
  stop(run.home()->system, pipeline);
}

TEST_CASE("state in a store that cannot be read is that of another table", "[actors][unit]") {
  stored_run run;
  auto row = run.store->row();
  row.held.state = {GENERATE(state_entry{"timeline", "x"}, state_entry{"schema.1", "?"})};
  run.store->hold(row);
  run.start();
  CHECK(run.halts().why == reason::checkpoint_store_mismatch);
}

TEST_CASE("a stop does not wait for a store that fails", "[actors][unit]") {
  stored_run run;
  run.settings.checkpoint_store->retry = {.max_retries = 1000, .backoff = 1h};
  REQUIRE(run.streams());
  REQUIRE(wait_until([&] { return !run.store->written().empty(); }));
  run.store->plan.fail(store_call::write, {.why = reason::connection_lost});
  run.server.send_transaction(200);
  REQUIRE(wait_until([&] { return run.status().store_failures == 1; }));
  // It is tried once more, and what was delivered comes again: nothing that a person has to cure.
  CHECK(run.stop().phase == pipeline_phase::stopped);
  CHECK(run.store->plan.count(store_call::write) >= 2);
}

TEST_CASE("what was delivered and not stored comes again, and no more", "[actors][unit]") {
  stored_run run;
  REQUIRE(run.streams());
  run.server.send_transaction(200);
  REQUIRE(run.confirms(201));
  run.store->plan.fail(store_call::write, {.why = reason::checkpoint_changed}, 1);
  run.server.send_transaction(300);
  CHECK(run.halts().why == reason::checkpoint_changed);

  stored_run again;
  again.store->hold(run.store->row());
  again.server.hold_slot(run.server.confirmed());
  again.server.send_transaction(200);
  again.server.send_transaction(300);
  again.server.send_transaction(400);
  REQUIRE(again.streams());
  CHECK(again.takes({300, 400}));
}
