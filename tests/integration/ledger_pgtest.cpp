// SPDX-License-Identifier: MIT
#include "replicant/tests/integration/source_pipeline.hpp"
#include "replicant/tests/support/ledger_database.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <catch2/catch.hpp>

using namespace replicant;
using namespace replicant::test;
using namespace std::chrono_literals;

namespace {

using sizes = std::vector<std::uint64_t>;

/// A source and a ledger on servers of their own, so that the ledger's WAL is not the source's.
struct ledger_run {
  explicit ledger_run(const batch_delivery& batches) { source.settings.batch_delivery = batches; }

  ledger_run() = default;

  void run() { source.run(target.sinks()); }

  [[nodiscard]] bool holds(std::uint64_t effects) const {
    return wait_until([&] { return target.effects() == effects; });
  }

  /// Whether the pipeline has read everything and keeps some of it.
  [[nodiscard]] bool keeps_some() const {
    return wait_until([&] {
      const auto end = source.sql().position("select pg_current_wal_flush_lsn()");
      const auto now = source.now();
      return now.in_flight_bytes > 0 && end <= now.received_end.value();
    });
  }

  pg_cluster server;
  pg_cluster storage;
  source_pipeline source{server, "source"};
  ledger_database target{storage};
};

/// The pipeline's own words of where it stands, once they have reached the slot.
bool slot_follows(const ledger_run& one) {
  return wait_until([&] { return one.source.confirmed() == one.target.position() + 1; });
}

} // namespace

TEST_CASE("batches end by their count, and a stop delivers the one that is open",
          "[integration][postgres]") {
  ledger_run one{{.max_transactions = 5, .max_delay = 1h}};
  one.run();
  for (int id = 1; id <= 12; ++id)
    one.source.insert(id);
  REQUIRE(one.holds(10));
  REQUIRE(slot_follows(one));
  CHECK(one.target.batches() == sizes{5, 5});
  REQUIRE(one.source.reads_on());
  CHECK(one.source.stop().phase == pipeline_phase::stopped);
  CHECK(one.target.batches() == sizes{5, 5, 2});
  CHECK(one.target.effects() == 12);
  CHECK(slot_follows(one));
}

TEST_CASE("a batch that does not fill is delivered after its delay", "[integration][postgres]") {
  ledger_run one{{.max_transactions = 1000, .max_delay = 200ms}};
  one.run();
  for (int id = 1; id <= 3; ++id)
    one.source.insert(id);
  CHECK(one.holds(3));
  CHECK(slot_follows(one));
}

TEST_CASE("WAL that is not published ends a batch too", "[integration][postgres]") {
  ledger_run one{{.max_transactions = 1000, .max_delay = 1h}};
  one.source.settings.max_inflight_lag = std::uint64_t{4} << 20U;
  one.run();
  one.source.insert(1);
  REQUIRE(one.keeps_some());
  CHECK(one.target.effects() == 0);
  // A quarter of the bound, in a message that was not asked for.
  one.source.exec("select pg_logical_emit_message(false, 'filler', repeat('x', 1100000))");
  one.source.insert(2);
  CHECK(wait_until([&] { return one.target.effects() > 0; }));
}

TEST_CASE("a batch that the target refuses leaves nothing, halts, and is there once after the cure",
          "[integration][postgres]") {
  const auto batches = GENERATE(true, false);
  ledger_run one;
  if (batches)
    one.source.settings.batch_delivery = {.max_transactions = 6, .max_delay = 1h};
  one.run();
  for (int id = 1; id <= 6; ++id)
    one.source.insert(id);
  REQUIRE(one.holds(6));
  REQUIRE(slot_follows(one));
  // One that NOT VALID spares the rows that are there.
  one.target.exec("alter table ledger add constraint fit check (line->'record'->>'note' <> 'unfit')"
                  " not valid");
  const auto end = one.source.sql().position("select pg_current_wal_insert_lsn()");
  for (int id = 7; id <= 9; ++id)
    one.source.insert(id);
  one.source.insert(10, "unfit");
  for (int id = 11; id <= 12; ++id)
    one.source.insert(id);
  const auto why = one.source.halts();
  CHECK(why.why == reason::sink_failed);
  CHECK(std::string{why.code.text()} == "23514");
  // In a batch those before it go with it; alone they are not held up.
  CHECK(one.target.effects() == (batches ? 6U : 9U));
  CHECK(one.source.confirmed() <= one.target.position() + 1);
  if (batches)
    CHECK(one.source.confirmed() <= end);
  one.source.stop();

  // Until the cause is gone it is the same again.
  one.source.launch(one.target.sinks());
  CHECK(one.source.halts().why == reason::sink_failed);
  one.source.stop();
  CHECK(one.target.effects() == (batches ? 6U : 9U));

  one.target.exec("alter table ledger drop constraint fit");
  one.run();
  REQUIRE(one.holds(12));
  CHECK(one.target.doubled() == 0);
  CHECK(slot_follows(one));
}

TEST_CASE("a fault of the target that comes with its COMMIT discards the batch",
          "[integration][postgres]") {
  ledger_run one{{.max_transactions = 4, .max_delay = 1h}};
  one.target.exec("create function refuse() returns trigger language plpgsql as "
                  "$$ begin raise exception 'no'; end $$;"
                  "create constraint trigger late after insert on ledger deferrable initially "
                  "deferred for each row when (new.line->'record'->>'id' = '3') "
                  "execute function refuse()");
  one.run();
  for (int id = 1; id <= 4; ++id)
    one.source.insert(id);
  CHECK(one.source.halts().why == reason::sink_failed);
  CHECK(one.target.effects() == 0);
  one.source.stop();
  one.target.exec("drop trigger late on ledger");
  one.run();
  CHECK(one.holds(4));
  CHECK(one.target.batches() == sizes{4});
}

TEST_CASE("what a sink says of its position is judged before anything moves",
          "[integration][postgres]") {
  ledger_run one;
  one.run();
  for (int id = 1; id <= 3; ++id)
    one.source.insert(id);
  REQUIRE(one.holds(3));
  REQUIRE(one.source.drains());
  one.source.stop();
  const auto before = one.source.confirmed();
  const auto claim = [&](const std::string& position) {
    one.target.exec("update watermark set position = " + position);
  };
  SECTION("more than the server has written: it is another server") {
    claim("position + 1000000000");
    one.source.launch(one.target.sinks());
    CHECK(one.source.halts().why == reason::server_behind);
    CHECK(one.source.confirmed() == before);
  }
  SECTION("less than the slot has confirmed: what lies between is gone") {
    claim("position - 100");
    one.source.launch(one.target.sinks());
    CHECK(one.source.halts().why == reason::slot_advanced);
    CHECK(one.source.confirmed() == before);
  }
  SECTION("something in between: what it says that it has is not sent again") {
    one.source.insert(4);
    claim("'" + one.source.sql().value("select pg_current_wal_flush_lsn()") + "'::pg_lsn - 1");
    one.source.insert(5);
    one.run();
    REQUIRE(one.holds(4));
    CHECK(one.target.lines("line->'record'->>'id'", "line->>'kind' = 'change'").back() == "5");
    CHECK(slot_follows(one));
  }
}
