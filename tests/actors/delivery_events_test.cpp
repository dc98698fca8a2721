// SPDX-License-Identifier: MIT
#include "replicant/actors/metrics_observer.hpp"
#include "replicant/tests/actors/pipeline_run.hpp"
#include "replicant/tests/support/metric_samples.hpp"
#include "replicant/tests/support/wire_bytes.hpp"

#include <catch2/catch.hpp>

using namespace replicant;
using namespace replicant::test;
using namespace std::chrono_literals;

namespace {

using frontiers = with_frontier<recording_sink>;

std::uint64_t sum_of(const pipeline_run& run, event_kind kind,
                     std::uint64_t telemetry_event::*field) {
  std::uint64_t sum = 0;
  for (const auto& one : run.watcher->all(kind))
    sum += one.*field;
  return sum;
}

slot_standing holding(std::uint64_t retained) {
  return {.wal_status = slot_wal_status::extended,
          .retained_bytes = retained,
          .safe_bytes = 100 - retained,
          .limit_bytes = 100};
}

} // namespace

TEST_CASE("what becomes durable is told by its number, never row by row", "[actors][unit]") {
  pipeline_run run;
  for (std::uint64_t commit = 200; commit < 1200; commit += 10)
    run.server.send_transaction(commit, 5);
  REQUIRE(run.streams());
  REQUIRE(run.confirms(1191));
  REQUIRE(wait_until([&] {
    return sum_of(run, event_kind::assembled, &telemetry_event::count) == 100 &&
           !run.watcher->all(event_kind::acknowledged).empty();
  }));
  CHECK(sum_of(run, event_kind::assembled, &telemetry_event::changes) == 500);
  CHECK(sum_of(run, event_kind::made_durable, &telemetry_event::count) == 100);
  CHECK(sum_of(run, event_kind::made_durable, &telemetry_event::changes) == 500);
  CHECK(sum_of(run, event_kind::made_durable, &telemetry_event::bytes) == run.status().bytes);
  CHECK(run.watcher->all(event_kind::made_durable).back().position == lsn{1190});
  // A hundred transactions that are here at once come in a few steps.
  CHECK(run.watcher->kinds().size() < 30);
}

TEST_CASE("the time of a delivery is that from handing over to durable", "[actors][unit]") {
  const auto held_in = [](sink_call call, const std::function<bool(pipeline_run&)>& starts) {
    pipeline_run run;
    run.ledger->plan.hold(call);
    REQUIRE(starts(run));
    run.server.send_transaction(200);
    REQUIRE(wait_until([&] { return run.ledger->plan.waits_in(call); }));
    const auto begin = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(50ms);
    const auto held = std::chrono::steady_clock::now() - begin;
    run.ledger->plan.release(call);
    REQUIRE(wait_until([&] { return !run.watcher->all(event_kind::made_durable).empty(); }));
    CHECK(run.watcher->all(event_kind::made_durable).front().duration >= held);
  };
  held_in(sink_call::transaction, [](auto& run) { return run.streams(); });
  held_in(sink_call::make_durable,
          [](auto& run) { return run.template streams<with_deferral<recording_sink>>(); });
  held_in(sink_call::batch, [](auto& run) {
    run.settings.batch_delivery = {.max_transactions = 1};
    return run.template streams<with_batches<recording_sink>>();
  });
}

TEST_CASE("a batch is not handed over while it waits", "[actors][unit]") {
  pipeline_run run;
  run.settings.batch_delivery = {.max_transactions = 2, .max_delay = 1h};
  REQUIRE(run.streams<with_batches<recording_sink>>());
  run.server.send_transaction(200);
  const auto begin = std::chrono::steady_clock::now();
  REQUIRE(wait_until([&] { return run.status().in_flight_bytes > 0; }));
  std::this_thread::sleep_for(100ms);
  run.server.send_transaction(300);
  REQUIRE(wait_until([&] { return !run.watcher->all(event_kind::made_durable).empty(); }));
  const auto waited = std::chrono::steady_clock::now() - begin;
  const auto told = run.watcher->all(event_kind::made_durable).front();
  CHECK(told.count == 2);
  CHECK(told.duration <= waited - 100ms);
}

TEST_CASE("an idle position is told as that", "[actors][unit]") {
  pipeline_run run;
  REQUIRE(run.streams<frontiers>());
  run.server.send_keepalive(900, true);
  REQUIRE(run.confirms(900));
  REQUIRE(wait_until([&] { return !run.watcher->all(event_kind::idle_advanced).empty(); }));
  CHECK(run.watcher->all(event_kind::idle_advanced).back().position == lsn{899});
  CHECK(run.watcher->all(event_kind::made_durable).empty());
}

TEST_CASE("messages are told with their bytes when they are durable", "[actors][unit]") {
  pipeline_run run;
  REQUIRE(run.streams<with_messages<recording_sink>>());
  run.server.send({data_frame(lsn{200}, message_payload(false, lsn{200}, "p", "hello"))});
  REQUIRE(wait_until([&] { return !run.watcher->all(event_kind::messages_taken).empty(); }));
  const auto told = run.watcher->all(event_kind::messages_taken).front();
  CHECK(told.count == 1);
  CHECK(told.bytes == 5);
  CHECK(run.status().messages == 1);
}

TEST_CASE("what the sink gives up is told with its reason and its time, before the halt",
          "[actors][unit]") {
  pipeline_run run;
  run.ledger->plan.fail(sink_call::transaction, reason::sink_failed);
  REQUIRE(run.streams());
  run.server.send_transaction(200);
  REQUIRE(run.halts().why == reason::sink_failed);
  const auto told = run.watcher->all(event_kind::sink_failed);
  REQUIRE(told.size() == 1);
  CHECK(told.front().failure.why == reason::sink_failed);
  const auto kinds = run.watcher->landmarks();
  CHECK(std::ranges::find(kinds, event_kind::sink_failed) <
        std::ranges::find(kinds, event_kind::halted));
}

TEST_CASE("a sink that cannot be opened has given up nothing", "[actors][unit]") {
  pipeline_run run;
  run.ledger->plan.fail(sink_call::checkpoint, reason::sink_unreadable);
  run.start();
  REQUIRE(run.halts().why == reason::sink_unreadable);
  CHECK(run.watcher->all(event_kind::sink_failed).empty());
}

TEST_CASE("a slot at risk is warned of and shown, until the stream ends", "[actors][unit]") {
  pipeline_run run;
  run.server.slot_stands(holding(70));
  REQUIRE(run.streams());
  REQUIRE(wait_until([&] { return run.status().slot.has_value(); }));
  CHECK(run.status().slot == holding(70));
  CHECK(run.status().slot_asked_at.microseconds > 0);
  REQUIRE(wait_until([&] { return !run.watcher->all(event_kind::slot_at_risk).empty(); }));
  const auto told = run.watcher->entries();
  const auto warning = std::ranges::find(told, event_kind::slot_at_risk,
                                         [](const auto& one) { return one.what.kind; });
  CHECK(warning->slot == holding(70));
  // Another generation finds the slot as it was: no second warning.
  run.server.break_off({.why = reason::connection_lost});
  REQUIRE(wait_until([&] { return run.server.streams().size() == 2 && run.status().slot; }));
  CHECK(run.watcher->all(event_kind::slot_at_risk).size() == 1);
  run.server.plan.hold(source_call::connect);
  run.server.break_off({.why = reason::connection_lost});
  REQUIRE(wait_until([&] { return run.server.plan.waits_in(source_call::connect); }));
  CHECK_FALSE(run.status().slot);
}

TEST_CASE("a server that says nothing of the slot is no failure", "[actors][unit]") {
  pipeline_run run;
  REQUIRE(run.streams());
  run.server.send_transaction(200);
  REQUIRE(run.confirms(201));
  CHECK_FALSE(run.status().slot);
  CHECK(run.status().reconnects == 0);
}

TEST_CASE("a host's metrics count what happened to its pipelines", "[actors][unit]") {
  const auto metrics = std::make_shared<metrics_observer>();
  const std::vector<telemetry_event> events{
    {.kind = event_kind::made_durable, .pipeline = "shop", .count = 2, .duration = 3ms},
    {.kind = event_kind::paced, .pipeline = "shop"},
    {.kind = event_kind::paced, .pipeline = "bank"}};
  for (const auto& one : events)
    metrics->on_event(one);
  pipeline_status shop;
  shop.name = "shop";
  pipeline_status silent;
  silent.name = "silent";
  const auto told = samples_of(metrics->text({shop, silent}));
  CHECK(told.at(of_shop("replicant_sink_latency_seconds_count")) == 1);
  CHECK(told.at(of_shop("replicant_batch_transactions_sum")) == 2);
  CHECK(told.at(of_shop("replicant_pacings_total")) == 1);
  CHECK(told.at("replicant_pacings_total{pipeline=\"silent\"}") == 0);
  CHECK_FALSE(told.contains("replicant_pacings_total{pipeline=\"bank\"}"));
}
