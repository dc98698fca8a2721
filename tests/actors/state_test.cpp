// SPDX-License-Identifier: MIT
#include "replicant/core/assembly/schema_state.hpp"
#include "replicant/tests/actors/pipeline_run.hpp"
#include "replicant/tests/support/wire_bytes.hpp"

#include <catch2/catch.hpp>

using namespace replicant;
using namespace replicant::test;

namespace {

using names = std::vector<std::string>;
using remembering = with_state<with_frontier<recording_sink>>;

constexpr std::uint32_t orders = 16384;

void send(pipeline_run& run, std::uint64_t commit, const names& columns,
          const std::string& table = "orders", std::uint32_t oid = orders) {
  const lsn at{commit};
  run.server.send({data_frame(at, begin_payload(at, 7)),
                   data_frame(lsn{}, relation_payload(oid, table, columns)),
                   data_frame(at, insert_payload(oid, std::vector<text_cell>(columns.size()))),
                   data_frame(at, commit_payload(at))});
}

names given(const pipeline_run& run) {
  names found;
  for (const auto& line : run.log->lines())
    if (line.starts_with("state ") || line.starts_with("transaction ") ||
        line.starts_with("batch ") || line.starts_with("changed "))
      found.push_back(line);
  return found;
}

/// What a run has left behind, for another program that begins with it.
void hand_on(const pipeline_run& from, pipeline_run& to) {
  to.ledger->hold(from.ledger->held());
  to.server.hold_slot(from.server.confirmed());
}

} // namespace

TEST_CASE("a shape is remembered before the transaction that shows it, once", "[actors][unit]") {
  pipeline_run run;
  run.ledger->hold({.memory = sink_memory::prepared});
  REQUIRE(run.streams<remembering>());
  send(run, 200, {"id"});
  send(run, 300, {"id"});
  send(run, 400, {"id", "note"});
  REQUIRE(run.confirms(401));
  CHECK(given(run) == names{"state timeline", "state schema.16384", "transaction 200",
                            "transaction 300", "state schema.16384", "transaction 400"});
}

TEST_CASE("a batch is preceded by the shapes that its transactions show", "[actors][unit]") {
  pipeline_run run;
  run.settings.batch_delivery = {.max_transactions = 2, .max_delay = std::chrono::hours{1}};
  run.ledger->hold({.memory = sink_memory::prepared});
  send(run, 200, {"id"});
  send(run, 300, {"id"}, "items", orders + 1);
  // Its change ends the batch that it would have been part of.
  send(run, 400, {"id"});
  send(run, 500, {"id", "note"});
  send(run, 600, {"id", "note"});
  REQUIRE(run.streams<with_batches<remembering>>());
  REQUIRE(run.confirms(601));
  CHECK(given(run) == names{"state timeline", "state schema.16384", "state schema.16385",
                            "batch 200 300", "batch 400", "state schema.16384", "batch 500 600"});
}

TEST_CASE("a shape is not remembered with a batch that ends before its transaction",
          "[actors][unit]") {
  pipeline_run run;
  run.settings.batch_delivery = {.max_transactions = 2, .max_delay = std::chrono::hours{1}};
  run.ledger->hold({.memory = sink_memory::prepared});
  send(run, 200, {"id"});
  send(run, 300, {"id"});
  send(run, 400, {"id"});
  // A table that is new and then one that has changed, whose change ends the batch of 400.
  const lsn at{500};
  run.server.send({data_frame(at, begin_payload(at, 7)),
                   data_frame(lsn{}, relation_payload(orders + 1, "items", {"id"})),
                   data_frame(at, insert_payload(orders + 1, {"1"})),
                   data_frame(lsn{}, relation_payload(orders, "orders", {"id", "note"})),
                   data_frame(at, insert_payload(orders, {"1", "x"})),
                   data_frame(at, commit_payload(at))});
  send(run, 600, {"id"}, "items", orders + 1);
  REQUIRE(run.streams<with_batches<remembering>>());
  REQUIRE(run.confirms(601));
  CHECK(given(run) == names{"state timeline", "state schema.16384", "batch 200 300", "batch 400",
                            "state schema.16385", "state schema.16384", "batch 500 600"});
}

TEST_CASE("what a sink remembers of tables outlives the program", "[actors][unit]") {
  pipeline_run before;
  before.ledger->hold({.memory = sink_memory::prepared});
  REQUIRE(before.streams<remembering>());
  send(before, 200, {"id", "note"});
  REQUIRE(before.confirms(201));
  before.stop();

  pipeline_run after;
  hand_on(before, after);
  REQUIRE(after.streams<with_schema_changes<remembering>>());
  send(after, 300, {"id"});
  REQUIRE(after.confirms(301));
  CHECK(given(after) == names{"changed public.orders: column_dropped note", "state timeline",
                              "state schema.16384", "transaction 300"});
}

TEST_CASE("a program that begins anew judges the server by the timeline that its sink has kept",
          "[actors][unit]") {
  pipeline_run before;
  before.ledger->hold({.memory = sink_memory::prepared});
  REQUIRE(before.streams<remembering>());
  send(before, 200, {"id"});
  REQUIRE(before.confirms(201));
  before.stop();

  pipeline_run after;
  hand_on(before, after);
  after.server.change_facts([](source_facts& facts) {
    facts.identity.timeline = 2;
    facts.history = {{1, lsn{150}}};
  });
  after.start<remembering>();
  CHECK(after.halts().why == reason::diverged);
}

TEST_CASE("a sink whose state cannot be read is refused, and nothing is made", "[actors][unit]") {
  pipeline_run run;
  run.ledger->hold({.memory = sink_memory::prepared, .state = {{"schema.1", "?"}}});
  run.start<remembering>();
  CHECK(run.halts().why == reason::sink_unreadable);
  CHECK(run.server.streams().empty());
}

TEST_CASE("a destructive change that a person has accepted does not halt", "[actors][unit]") {
  const auto fingerprint = [] {
    pipeline_run run;
    REQUIRE(run.streams());
    send(run, 200, {"id", "note"});
    send(run, 300, {"id"});
    const auto why = run.halts();
    REQUIRE(why.why == reason::schema_change_destructive);
    REQUIRE(why.facts[1].kind == fact_kind::fingerprint);
    return why.facts[1].value;
  }();
  pipeline_run run;
  run.settings.accepted_schema_changes = {fingerprint};
  REQUIRE(run.streams());
  send(run, 200, {"id", "note"});
  send(run, 300, {"id"});
  REQUIRE(run.confirms(301));
  // Another one was not accepted.
  send(run, 400, {"nr"});
  CHECK(run.halts().why == reason::schema_change_destructive);
}
