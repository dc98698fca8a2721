// SPDX-License-Identifier: MIT
#include "replicant/tests/actors/pipeline_run.hpp"
#include "replicant/tests/support/wire_bytes.hpp"

#include <catch2/catch.hpp>

using namespace replicant;
using namespace replicant::test;

namespace {

using judging_sink = with_schema_changes<recording_sink>;
using names = std::vector<std::string>;

/// A transaction with a row of the table "orders", which has these columns.
void send(pipeline_run& run, std::uint64_t commit, const names& columns) {
  constexpr std::uint32_t orders = 16384;
  const lsn at{commit};
  run.server.send({data_frame(at, begin_payload(at, 7)),
                   data_frame(lsn{}, relation_payload(orders, "orders", columns)),
                   data_frame(at, insert_payload(orders, std::vector<text_cell>(columns.size()))),
                   data_frame(at, commit_payload(at))});
}

void reconnect(pipeline_run& run) {
  const auto streams = run.server.streams().size();
  run.server.break_off({.why = reason::connection_lost});
  REQUIRE(wait_until([&] { return run.server.streams().size() == streams + 1; }));
  REQUIRE(run.reaches(pipeline_phase::streaming));
}

names changes_told(const pipeline_run& run, event_kind kind) {
  names found;
  for (const auto& one : run.watcher->entries())
    if (one.what.kind == kind)
      found.push_back(one.change);
  return found;
}

/// Changes and transactions, in the order in which the sink was given them.
names given(const pipeline_run& run) {
  names found;
  for (const auto& line : run.log->lines())
    if (line.starts_with("changed ") || line.starts_with("transaction "))
      found.push_back(line);
  return found;
}

const names added{"public.orders: column_added note"};
const names dropped{"public.orders: column_dropped note"};

} // namespace

TEST_CASE("what only adds is told and goes on, for every sink", "[actors][unit]") {
  pipeline_run run;
  REQUIRE(run.streams());
  send(run, 200, {"id"});
  send(run, 300, {"id", "note"});
  REQUIRE(run.confirms(301));
  CHECK(changes_told(run, event_kind::schema_changed) == added);
}

TEST_CASE("a destructive change halts behind everything before it, and names the table",
          "[actors][unit]") {
  pipeline_run run;
  REQUIRE(run.streams());
  send(run, 200, {"id", "note"});
  send(run, 300, {"id"});
  const auto why = run.halts();
  CHECK(to_string(why) == "schema_change_destructive at=0/12C relation=16384 change=column_dropped "
                          "fingerprint=22eed0ee4efec19b");
  CHECK(run.ledger->commits() == std::vector<std::uint64_t>{200});
  CHECK(run.server.confirmed().value() <= 201);
  CHECK(changes_told(run, event_kind::schema_refused) == dropped);
  CHECK(changes_told(run, event_kind::schema_changed).empty());
}

TEST_CASE("a sink that accepts a destructive change is given the rows behind it",
          "[actors][unit]") {
  pipeline_run run;
  REQUIRE(run.streams<judging_sink>());
  send(run, 200, {"id", "note"});
  send(run, 300, {"id"});
  REQUIRE(run.confirms(301));
  CHECK(given(run) == names{"transaction 200", "changed " + dropped.front(), "transaction 300"});
  CHECK(changes_told(run, event_kind::schema_changed) == dropped);
}

TEST_CASE("a sink that declines a change, or throws, halts before the rows", "[actors][unit]") {
  pipeline_run run;
  SECTION("declines") {
    run.ledger->plan.fail(sink_call::schema_change, reason::schema_change_destructive);
    REQUIRE(run.streams<judging_sink>());
    send(run, 200, {"id"});
    send(run, 300, {"id", "note"});
    CHECK(run.halts().why == reason::schema_change_destructive);
  }
  SECTION("throws") {
    run.ledger->plan.raise(sink_call::schema_change, "planted");
    REQUIRE(run.streams<judging_sink>());
    send(run, 200, {"id"});
    send(run, 300, {"id", "note"});
    CHECK(run.halts().why == reason::sink_failed);
  }
  CHECK(run.ledger->commits() == std::vector<std::uint64_t>{200});
  CHECK(changes_told(run, event_kind::schema_refused) == added);
}

TEST_CASE("what was altered while disconnected is told when rows come again", "[actors][unit]") {
  pipeline_run run;
  REQUIRE(run.streams<judging_sink>());
  send(run, 200, {"id", "note"});
  REQUIRE(run.confirms(201));
  reconnect(run);
  send(run, 300, {"id"});
  REQUIRE(run.confirms(301));
  reconnect(run);
  send(run, 400, {"id"});
  REQUIRE(run.confirms(401));
  CHECK(given(run) == names{"transaction 200", "changed " + dropped.front(), "transaction 300",
                            "transaction 400"});
}

TEST_CASE("a change whose rows did not become durable is told again", "[actors][unit]") {
  pipeline_run run;
  REQUIRE(run.streams<with_schema_changes<with_deferral<recording_sink>>>());
  send(run, 200, {"id"});
  REQUIRE(run.confirms(201));
  run.ledger->plan.fail(sink_call::make_durable, reason::connection_lost, 1);
  send(run, 300, {"id", "note"});
  REQUIRE(wait_until([&] { return run.server.streams().size() == 2; }));
  REQUIRE(run.reaches(pipeline_phase::streaming));
  send(run, 300, {"id", "note"});
  REQUIRE(run.confirms(301));
  const auto change = "changed " + added.front();
  CHECK(given(run) ==
        names{"transaction 200", change, "transaction 300", change, "transaction 300"});
}
