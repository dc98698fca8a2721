// SPDX-License-Identifier: MIT
#include "replicant/tests/actors/pipeline_run.hpp"
#include "replicant/tests/support/wire_bytes.hpp"

#include <catch2/catch.hpp>

using namespace replicant;
using namespace replicant::test;
using namespace std::chrono_literals;

TEST_CASE("a transaction is acknowledged one byte past its commit, once the sink has returned",
          "[actors][unit]") {
  pipeline_run run;
  run.ledger->plan.hold(sink_call::transaction);
  REQUIRE(run.streams());
  run.server.send_transaction(200);
  REQUIRE(wait_until([&] { return run.ledger->plan.waits_in(sink_call::transaction); }));
  CHECK(run.asks() == 100);
  run.ledger->plan.release(sink_call::transaction);
  CHECK(run.confirms(201));
}

TEST_CASE("written, flushed and applied are one position", "[actors][unit]") {
  pipeline_run run;
  REQUIRE(run.streams());
  run.server.send_transaction(200);
  REQUIRE(run.confirms(201));
  for (const auto& told : run.server.statuses()) {
    CHECK(told.written == told.flushed);
    CHECK(told.applied == told.flushed);
    CHECK(told.now.microseconds > 0);
  }
}

TEST_CASE("a deferred sink without an interval is acknowledged after make_durable",
          "[actors][unit]") {
  pipeline_run run;
  run.ledger->plan.hold(sink_call::make_durable);
  REQUIRE(run.streams<with_deferral<recording_sink>>());
  run.server.send_transaction(200);
  REQUIRE(wait_until([&] { return run.ledger->plan.waits_in(sink_call::make_durable); }));
  CHECK(run.ledger->commits() == std::vector<std::uint64_t>{200});
  CHECK(run.asks() == 100);
  run.ledger->plan.release(sink_call::make_durable);
  CHECK(run.confirms(201));
}

TEST_CASE("a deferred sink with an interval is acknowledged once for all that it took meanwhile",
          "[actors][unit]") {
  pipeline_run run;
  run.ledger->durability_interval = 700ms;
  run.ledger->plan.hold(sink_call::make_durable);
  REQUIRE(run.streams<with_deferral<recording_sink>>());
  for (const auto commit : {200U, 300U, 400U})
    run.server.send_transaction(commit);
  REQUIRE(run.takes({200, 300, 400}));
  REQUIRE(wait_until([&] { return run.ledger->plan.waits_in(sink_call::make_durable); }));
  CHECK(run.asks() == 100);
  run.ledger->plan.release(sink_call::make_durable);
  CHECK(run.confirms(401));
  CHECK(run.ledger->plan.count(sink_call::make_durable) == 1);
}

TEST_CASE("a deferred sink's interval begins with the first transaction after a sync",
          "[actors][unit]") {
  pipeline_run run;
  run.ledger->durability_interval = 50ms;
  REQUIRE(run.streams<with_deferral<recording_sink>>());
  for (auto commit = 200U; commit <= 400; commit += 100) {
    run.server.send_transaction(commit);
    REQUIRE(run.confirms(commit + 1));
  }
  CHECK(run.ledger->plan.count(sink_call::make_durable) == 3);
}

TEST_CASE("a sink without positions of its own lets the slot advance over idle traffic",
          "[actors][unit]") {
  pipeline_run run;
  REQUIRE(run.streams());
  run.server.send_keepalive(500, false);
  CHECK(run.confirms(500));
}

TEST_CASE("an idle position is acknowledged once the sink has persisted it", "[actors][unit]") {
  pipeline_run run;
  run.ledger->hold({sink_memory::position, watermark::before(lsn{100})});
  run.ledger->plan.hold(sink_call::frontier);
  REQUIRE(run.streams<with_frontier<recording_sink>>());
  run.server.send_keepalive(500, false);
  REQUIRE(wait_until([&] { return run.ledger->plan.waits_in(sink_call::frontier); }));
  CHECK(run.asks() == 100);
  run.ledger->plan.release(sink_call::frontier);
  CHECK(run.confirms(500));
  CHECK(run.ledger->held().durable == watermark::before(lsn{500}));
}

TEST_CASE("an idle position never overtakes a transaction that is not delivered",
          "[actors][unit]") {
  pipeline_run run;
  run.ledger->plan.hold(sink_call::transaction);
  REQUIRE(run.streams<with_frontier<recording_sink>>());
  run.server.send_transaction(200);
  REQUIRE(wait_until([&] { return run.ledger->plan.waits_in(sink_call::transaction); }));
  CHECK(run.asks(500) == 100);
  CHECK(run.ledger->frontiers().empty());
  run.ledger->plan.release(sink_call::transaction);
  CHECK(run.confirms(500));
  CHECK(run.ledger->frontiers() == std::vector<std::uint64_t>{499});
  CHECK(run.log->lines({"connect", "sink made", "checkpoint", "start 100"}) ==
        std::vector<std::string>{"transaction 200", "frontier 499"});
}

TEST_CASE("an idle position read together with a transaction follows it", "[actors][unit]") {
  pipeline_run run;
  run.server.send_transaction(200);
  run.server.send_keepalive(500, false);
  REQUIRE(run.streams<with_frontier<recording_sink>>());
  REQUIRE(run.confirms(500));
  CHECK(run.log->lines({"connect", "sink made", "checkpoint", "start 100"}) ==
        std::vector<std::string>{"transaction 200", "frontier 499"});
}

TEST_CASE("a commit record that starts exactly at an acknowledged idle position is delivered",
          "[actors][unit]") {
  pipeline_run run;
  REQUIRE(run.streams<with_frontier<recording_sink>>());
  run.server.send_keepalive(500, false);
  REQUIRE(run.confirms(500));
  run.server.send_transaction(500);
  CHECK(run.takes({500}));
  CHECK(run.confirms(501));
}

TEST_CASE("a flood of keepalives reaches the sink as a few positions", "[actors][unit]") {
  pipeline_run run;
  REQUIRE(run.streams<with_frontier<recording_sink>>());
  std::vector<std::string> flood;
  for (std::uint64_t position = 1000; position <= 20'000; ++position)
    flood.push_back(keepalive_frame(lsn{position}, false));
  run.server.send(flood);
  CHECK(run.confirms(20'000));
  CHECK(run.ledger->frontiers().size() < 5);
}

TEST_CASE("a message outside of transactions goes to a sink that takes messages",
          "[actors][unit]") {
  pipeline_run run;
  REQUIRE(run.streams<with_messages<recording_sink>>());
  run.server.send({data_frame(lsn{200}, message_payload(false, lsn{200}, "p", "hello"))});
  CHECK(run.confirms(200));
  CHECK(run.ledger->messages() == std::vector<std::string>{"hello"});
}

TEST_CASE("a sink that persists positions learns of a message that it does not take",
          "[actors][unit]") {
  pipeline_run run;
  run.ledger->hold({sink_memory::position, watermark::before(lsn{100})});
  REQUIRE(run.streams<with_frontier<recording_sink>>());
  run.server.send({data_frame(lsn{200}, message_payload(false, lsn{200}, "p", "hello"))});
  REQUIRE(run.confirms(200));
  run.server.break_off({.why = reason::connection_lost});
  // A slot ahead of the sink would look as if somebody else had moved it.
  REQUIRE(wait_until([&] { return run.server.streams().size() == 2; }));
  CHECK(run.server.streams().back() == lsn{200});
}

TEST_CASE("a message outside of transactions is passed over for a sink that takes none",
          "[actors][unit]") {
  pipeline_run run;
  REQUIRE(run.streams());
  run.server.send({data_frame(lsn{200}, message_payload(false, lsn{200}, "p", "hello"))});
  CHECK(run.confirms(200));
}
