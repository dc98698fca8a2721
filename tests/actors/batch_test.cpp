// SPDX-License-Identifier: MIT
#include "replicant/core/delivery/chunk.hpp"
#include "replicant/tests/actors/pipeline_run.hpp"
#include "replicant/tests/support/wire_bytes.hpp"

#include <catch2/catch.hpp>

using namespace replicant;
using namespace replicant::test;
using namespace std::chrono_literals;

namespace {

using batching = with_batches<recording_sink>;
using batching_frontiers = with_frontier<with_batches<recording_sink>>;
using positions = std::vector<std::uint64_t>;

/// Asks for batches that neither time nor WAL ends.
void ask_for(pipeline_run& run, std::uint32_t max_transactions) {
  run.settings.batch_delivery = {.max_transactions = max_transactions, .max_delay = 1h};
}

/// Waits until the pipeline has read everything and holds some of it.
bool holds_all(pipeline_run& run) {
  return wait_until(
    [&] { return run.server.frames_unread() == 0 && run.status().in_flight_bytes > 0; });
}

std::string message_at(std::uint64_t end, std::string_view content) {
  return data_frame(lsn{end}, message_payload(false, lsn{end}, "p", content));
}

} // namespace

TEST_CASE("batches are refused at the start for a sink that takes none", "[actors][unit]") {
  pipeline_run run;
  ask_for(run, 2);
  run.start();
  CHECK(run.halts().why == reason::batch_unsupported);
  CHECK(run.server.streams().empty());
  CHECK(run.ledger->plan.count(sink_call::checkpoint) == 0);
}

TEST_CASE("a sink that takes batches is given single transactions unless batches are asked for",
          "[actors][unit]") {
  pipeline_run run;
  REQUIRE(run.streams<batching>());
  run.server.send_transaction(200);
  CHECK(run.confirms(201));
  CHECK(run.ledger->batches().empty());
}

TEST_CASE("a batch is handed over with its last transaction and acknowledged to that one",
          "[actors][unit]") {
  pipeline_run run;
  ask_for(run, 2);
  // All in one chunk, so that a batch ends inside of a delivery.
  for (const auto commit : {200U, 300U, 400U, 500U, 600U})
    run.server.send_transaction(commit, 3);
  REQUIRE(run.streams<batching>());
  REQUIRE(run.confirms(501));
  CHECK(run.ledger->batches() == std::vector<positions>{{200, 300}, {400, 500}});
  CHECK(run.ledger->plan.count(sink_call::transaction) == 0);
  CHECK(run.asks() == 501);
  CHECK(run.ledger->transactions().back().events == 3);
  CHECK(wait_until([&] { return run.status().transactions == 4; }));
  run.server.send_transaction(700);
  CHECK(run.confirms(701));
  CHECK(wait_until([&] { return run.status().in_flight_bytes == 0; }));
}

TEST_CASE("nothing of a batch is acknowledged before it has been taken", "[actors][unit]") {
  pipeline_run run;
  ask_for(run, 2);
  run.ledger->plan.hold(sink_call::batch);
  REQUIRE(run.streams<batching>());
  run.server.send_transaction(200);
  run.server.send_transaction(300);
  REQUIRE(wait_until([&] { return run.ledger->plan.waits_in(sink_call::batch); }));
  CHECK(run.asks() == 100);
  run.ledger->plan.release(sink_call::batch);
  CHECK(run.confirms(301));
}

TEST_CASE("a batch that does not fill is handed over after its delay", "[actors][unit]") {
  pipeline_run run;
  run.settings.batch_delivery = {.max_transactions = 100, .max_delay = 300ms};
  REQUIRE(run.streams<batching>());
  for (auto commit = 200U; commit <= 400; commit += 100) {
    run.server.send_transaction(commit);
    REQUIRE(run.confirms(commit + 1));
  }
  CHECK(run.ledger->batches() == std::vector<positions>{{200}, {300}, {400}});
}

TEST_CASE("a batch is handed over when the WAL behind it has grown too much", "[actors][unit]") {
  pipeline_run run;
  ask_for(run, 100);
  run.settings.max_inflight_lag = std::uint64_t{1} << 20U;
  REQUIRE(run.streams<batching>());
  run.server.send_transaction(200);
  REQUIRE(holds_all(run));
  run.server.send_transaction(200 + (1U << 18U));
  REQUIRE(run.confirms(201 + (1U << 18U)));
  CHECK(run.ledger->batches() == std::vector<positions>{{200, 200 + (1U << 18U)}});
}

TEST_CASE("a message outside of transactions follows the batch before it", "[actors][unit]") {
  pipeline_run run;
  ask_for(run, 100);
  REQUIRE(run.streams<with_messages<batching>>());
  SECTION("in one delivery with it") {
    auto frames = transaction_frames(200);
    frames.push_back(message_at(300, "hello"));
    run.server.send(frames);
  }
  SECTION("in a later one") {
    run.server.send_transaction(200);
    REQUIRE(holds_all(run));
    run.server.send({message_at(300, "hello")});
  }
  REQUIRE(run.confirms(300));
  CHECK(run.log->lines({"connect", "sink made", "checkpoint", "start 100"}) ==
        std::vector<std::string>{"batch 200", "message 300"});
}

TEST_CASE("a message is not delivered when the batch before it fails", "[actors][unit]") {
  pipeline_run run;
  ask_for(run, 100);
  run.ledger->plan.fail(sink_call::batch, reason::sink_failed);
  REQUIRE(run.streams<with_messages<batching>>());
  auto frames = transaction_frames(200);
  frames.push_back(message_at(300, "hello"));
  run.server.send(frames);
  CHECK(run.halts().why == reason::sink_failed);
  CHECK(run.ledger->messages().empty());
  CHECK(run.server.confirmed() == lsn{100});
}

TEST_CASE("transactions behind a message are a batch of their own", "[actors][unit]") {
  pipeline_run run;
  ask_for(run, 2);
  auto frames = transaction_frames(200);
  frames.push_back(message_at(300, "hello"));
  for (const auto commit : {400U, 500U})
    for (auto& frame : transaction_frames(commit))
      frames.push_back(std::move(frame));
  run.server.send(frames);
  REQUIRE(run.streams<with_messages<batching>>());
  REQUIRE(run.confirms(501));
  CHECK(run.ledger->batches() == std::vector<positions>{{200}, {400, 500}});
  CHECK(run.ledger->messages() == std::vector<std::string>{"hello"});
}

TEST_CASE("an idle position never overtakes an open batch", "[actors][unit]") {
  pipeline_run run;
  ask_for(run, 2);
  REQUIRE(run.streams<batching_frontiers>());
  run.server.send_transaction(200);
  run.server.send_keepalive(500, false);
  REQUIRE(holds_all(run));
  CHECK(run.asks() == 100);
  CHECK(run.ledger->frontiers().empty());
  run.server.send_transaction(600);
  REQUIRE(run.confirms(601));
  CHECK(run.ledger->batches() == std::vector<positions>{{200, 600}});
  CHECK(run.ledger->frontiers().empty()); // The transaction has told a later one.
}

TEST_CASE("an idle position behind an open batch is persisted after it", "[actors][unit]") {
  pipeline_run run;
  run.settings.batch_delivery = {.max_transactions = 100, .max_delay = 400ms};
  run.server.send_transaction(200);
  run.server.send_keepalive(500, false);
  REQUIRE(run.streams<batching_frontiers>());
  REQUIRE(run.confirms(500));
  CHECK(run.log->lines({"connect", "sink made", "checkpoint", "start 100"}) ==
        std::vector<std::string>{"batch 200", "frontier 499"});
}

TEST_CASE("an idle position without a batch in its way waits for nothing", "[actors][unit]") {
  pipeline_run run;
  ask_for(run, 100);
  REQUIRE(run.streams<batching_frontiers>());
  run.server.send_keepalive(500, false);
  CHECK(run.confirms(500));
}

TEST_CASE("a stop hands an open batch over and acknowledges it", "[actors][unit]") {
  pipeline_run run;
  ask_for(run, 100);
  REQUIRE(run.streams<batching>());
  run.server.send_transaction(200);
  run.server.send_transaction(300);
  REQUIRE(holds_all(run));
  const auto last = run.stop();
  CHECK(last.phase == pipeline_phase::stopped);
  CHECK(last.acknowledged == lsn{301});
  CHECK(run.ledger->batches() == std::vector<positions>{{200, 300}});
}

TEST_CASE("a batch that fails while stopping is not acknowledged, and the stop tells it",
          "[actors][unit]") {
  pipeline_run run;
  ask_for(run, 100);
  REQUIRE(run.streams<batching>());
  run.server.send_transaction(200);
  REQUIRE(holds_all(run));
  run.ledger->plan.fail(sink_call::batch, reason::sink_failed);
  const auto last = run.stop();
  CHECK(last.phase == pipeline_phase::halted);
  CHECK(run.server.confirmed() == lsn{100});
}

TEST_CASE("a reconnect discards an open batch, and all of it is delivered once", "[actors][unit]") {
  pipeline_run run;
  ask_for(run, 3);
  run.ledger->hold({sink_memory::position, watermark::before(lsn{100})});
  REQUIRE(run.streams<batching>());
  run.server.send_transaction(200);
  run.server.send_transaction(300);
  REQUIRE(holds_all(run));
  run.server.break_off({.why = reason::connection_lost});
  REQUIRE(wait_until([&] { return run.server.streams().size() == 2; }));
  CHECK(run.server.streams().back() == lsn{100});
  CHECK(run.ledger->commits().empty());
  for (const auto commit : {200U, 300U, 400U})
    run.server.send_transaction(commit);
  REQUIRE(run.confirms(401));
  CHECK(run.ledger->batches() == std::vector<positions>{{200, 300, 400}});
}

TEST_CASE("a batch that fails is discarded as a whole and delivered again", "[actors][unit]") {
  pipeline_run run;
  ask_for(run, 3);
  run.ledger->hold({sink_memory::position, watermark::before(lsn{100})});
  REQUIRE(run.streams<batching>());
  for (const auto commit : {200U, 300U, 400U})
    run.server.send_transaction(commit);
  REQUIRE(run.confirms(401));
  // A fault that time cures, in the middle of the stream.
  run.ledger->plan.fail(sink_call::batch, reason::connection_lost, 1);
  for (const auto commit : {500U, 600U, 700U})
    run.server.send_transaction(commit);
  REQUIRE(wait_until([&] { return run.server.streams().size() == 2; }));
  CHECK(run.server.streams().back() == lsn{401});
  CHECK(run.ledger->commits() == positions{200, 300, 400});
  for (const auto commit : {500U, 600U, 700U})
    run.server.send_transaction(commit);
  REQUIRE(run.confirms(701));
  CHECK(run.ledger->commits() == positions{200, 300, 400, 500, 600, 700});
  CHECK(run.status().transactions == 6);
}

TEST_CASE("an open batch never keeps the credit that reading needs", "[actors][unit]") {
  pipeline_run run;
  ask_for(run, 1'000'000);
  run.settings.max_inflight_lag = std::uint64_t{64} * 1024;
  positions commits;
  for (std::uint64_t commit = 1; commit <= 2000; ++commit) {
    commits.push_back(100 + commit);
    run.server.send_transaction(commits.back(), 2, 500);
  }
  REQUIRE(run.streams<batching>());
  REQUIRE(wait_until([&] { return run.server.frames_unread() == 0; }));
  run.stop();
  CHECK(run.ledger->commits() == commits);
}

TEST_CASE("a batch is handed over when a transaction that grows uses the credit up",
          "[actors][unit]") {
  pipeline_run run;
  ask_for(run, 1'000'000);
  run.settings.max_inflight_lag = std::uint64_t{2} << 20U;
  REQUIRE(run.streams<batching>());
  // Less than the half that would end the batch by itself, and no commit for a long time.
  run.server.send_transaction(200, 1600, 500);
  REQUIRE(holds_all(run));
  CHECK(run.ledger->batches().empty());
  auto frames = transaction_frames(300, 40'000, 500);
  frames.pop_back();
  run.server.send(frames);
  REQUIRE(run.confirms(201));
  CHECK(run.ledger->batches() == std::vector<positions>{{200}});
  CHECK(wait_until([&] { return run.server.frames_unread() == 0; }));
}

TEST_CASE("a deferred sink that takes batches makes each of them durable", "[actors][unit]") {
  pipeline_run run;
  ask_for(run, 2);
  run.ledger->durability_interval = 1h;
  REQUIRE(run.streams<with_deferral<batching>>());
  run.server.send_transaction(200);
  run.server.send_transaction(300);
  REQUIRE(run.confirms(301));
  CHECK(run.ledger->plan.count(sink_call::make_durable) == 1);
}

TEST_CASE("a change of a table's shape follows the batch before it", "[actors][unit]") {
  pipeline_run run;
  ask_for(run, 100);
  REQUIRE(run.streams<with_schema_changes<batching>>());
  run.server.send_transaction(200);
  REQUIRE(holds_all(run));
  run.server.send({data_frame(lsn{300}, begin_payload(lsn{300}, 7)),
                   data_frame(lsn{}, relation_payload(16384, "orders", {"id", "note"})),
                   data_frame(lsn{300}, insert_payload(16384, {"1", "x"})),
                   data_frame(lsn{300}, commit_payload(lsn{300}))});
  REQUIRE(run.confirms(201));
  run.stop();
  CHECK(run.log->lines({"connect", "sink made", "checkpoint", "start 100"}) ==
        std::vector<std::string>{"batch 200", "changed public.orders: column_added note",
                                 "batch 300", "finish", "sink gone"});
}
