// SPDX-License-Identifier: MIT
#include "replicant/tests/integration/kept_log.hpp"
#include "replicant/tests/integration/source_pipeline.hpp"
#include "replicant/tests/support/ledger_database.hpp"
#include "replicant/tests/support/recording_sink.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <catch2/catch.hpp>

using namespace replicant;
using namespace replicant::test;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;

namespace {

using texts = std::vector<std::string>;
using sizes = std::vector<std::uint64_t>;

struct message_run {
  message_run() { source.settings.messages = true; }

  void run() { source.run(target.sinks()); }

  [[nodiscard]] bool holds(std::uint64_t effects) const {
    return wait_until([&] { return target.effects() == effects; });
  }

  /// What was delivered, in order: rows by their id, messages by their prefix.
  [[nodiscard]] texts told() const {
    return target.lines("concat(case when line->>'transactional' = 'false' then 'alone ' end, "
                        "line->>'prefix', line->'record'->>'id', ' ' || (line->>'ordinal'))",
                        "line->>'kind' in ('change', 'message')");
  }

  /// Emits a message that stands alone. @returns where its record ends.
  std::uint64_t emit(const std::string& prefix) const {
    return source.sql().position("select pg_logical_emit_message(false, '" + prefix + "', 'x')");
  }

  pg_cluster server;
  pg_cluster storage;
  source_pipeline source{server, "source"};
  ledger_database target{storage};
};

constexpr const char* say = "select pg_logical_emit_message(";

} // namespace

TEST_CASE("messages ride their transaction with their ordinal, others stand alone in their place",
          "[integration][postgres]") {
  message_run one;
  one.run();
  auto session = one.source.sql();
  session.exec("begin");
  session.exec(std::string{say} + "true, 'a', '1'); insert into t values (1);" + say +
               "true, 'b', '2'); insert into t values (2);" + say + "true, 'c', '3')");
  // Decoded where it stands in the WAL, which is before this commit.
  session.exec(std::string{say} + "false, 'first', '')");
  session.exec("commit");
  // Of a transaction that is rolled back nothing is left but what was said outside of it.
  session.exec(std::string{"begin; insert into t values (3);"} + say + "true, 'd', '');" + say +
               "false, 'second', ''); rollback");
  REQUIRE(one.holds(7));
  CHECK(one.told() == texts{"alone first", "a 0", "1 1", "b 2", "2 3", "c 4", "alone second"});
  CHECK(one.target.lines("line->>'content_base64'", "line->>'prefix' = 'b'") == texts{"Mg=="});
}

TEST_CASE("a transaction with nothing but a message is delivered, one without anything is not",
          "[integration][postgres]") {
  message_run one;
  // Not published: a server before 15 sends an empty transaction for it.
  one.source.exec(
    "create table aside (id int); drop publication p; create publication p for table t");
  one.run();
  one.source.exec("insert into aside values (1)");
  one.source.exec(std::string{say} + "true, 'only', '')");
  one.source.exec("create table other (id int)");
  one.source.exec("insert into aside values (2)");
  one.source.insert(1);
  REQUIRE(one.holds(2));
  CHECK(one.told() == texts{"only 0", "1 0"});
  CHECK(one.target.batches() == sizes{1, 1});
  CHECK(one.source.took(2));
}

TEST_CASE("a message that stands alone follows the batch before it", "[integration][postgres]") {
  message_run one;
  one.source.settings.batch_delivery = {.max_transactions = 100, .max_delay = 1h};
  one.run();
  one.source.insert(1);
  one.source.insert(2);
  one.emit("m");
  REQUIRE(one.holds(3));
  CHECK(one.told() == texts{"1 0", "2 0", "alone m"});
  // The batch was committed first, and by itself.
  CHECK(one.target.batches() == sizes{2});
  CHECK(one.target.lines("batch::text", "line->>'prefix' = 'm'") !=
        one.target.lines("batch::text", "line->'record'->>'id' = '2'"));
  // One inside of a transaction leaves the batch open.
  one.source.exec(std::string{"begin; insert into t values (3);"} + say + "true, 'n', ''); commit");
  one.source.insert(4);
  REQUIRE(one.source.reads_on());
  CHECK(one.source.stop().phase == pipeline_phase::stopped);
  CHECK(one.told() == texts{"1 0", "2 0", "alone m", "3 0", "n 1", "4 0"});
  CHECK(one.target.batches() == sizes{2, 2});
}

TEST_CASE("a message that the target does not take holds the acknowledgement back",
          "[integration][postgres]") {
  message_run one;
  if (GENERATE(false, true))
    one.source.settings.batch_delivery = {.max_transactions = 100, .max_delay = 50ms};
  one.run();
  one.source.insert(1);
  REQUIRE(one.holds(1));
  const auto message_end = [&] {
    auto holder = one.target.client();
    holder.exec("begin; lock table ledger in access exclusive mode");
    const auto end = one.emit("m");
    // What would lead past it, if anything could: idle positions.
    one.source.exec("create table aside (id int)");
    REQUIRE(wait_until([&] { return one.source.now().received_end.value() > end; }));
    // Several rounds of status updates.
    for (int round = 0; round < 3; ++round) {
      one.source.exec("insert into aside values (1)");
      const auto seen = one.source.now().received_end.value();
      CHECK(wait_until([&] { return one.source.now().received_end.value() > seen; }));
      CHECK(one.source.confirmed() < end);
    }
    CHECK(one.source.now().durable.position().value() < end);
    return end;
  }();
  CHECK(wait_until([&] { return one.source.confirmed() >= message_end; }));
  CHECK(one.told().at(1) == "alone m");
}

TEST_CASE("a message that was not taken comes again, and one that was taken does not",
          "[integration][postgres]") {
  message_run one;
  const auto log = std::make_shared<journal>();
  const auto ledger = std::make_shared<sink_ledger>(log);
  // Of a sink that keeps no position the pipeline knows from what it has returned.
  one.source.run(sinks_over<with_messages<recording_sink>>(ledger));
  one.emit("first");
  REQUIRE(wait_until([&] { return ledger->messages().size() == 1; }));
  one.source.interrupt();
  ledger->plan.fail(sink_call::message, reason::connection_lost, 1);
  one.emit("second");
  REQUIRE(wait_until([&] { return ledger->messages().size() == 2; }));
  CHECK(ledger->plan.count(sink_call::message) == 3);
  CHECK(one.source.drains());
  CHECK(ledger->sinks_made() == 3);
}

TEST_CASE("a message that the target refuses is told nowhere, and is there once after the cure",
          "[integration][postgres]") {
  message_run one;
  const auto log = std::make_shared<kept_log>();
  one.source.run(one.target.sinks(), logging_into(log));
  one.source.insert(1);
  REQUIRE(one.holds(1));
  one.target.exec("alter table ledger add constraint fit check (line->>'prefix' is distinct from "
                  "'planted') not valid");
  const auto end = one.source.sql().position("select pg_logical_emit_message(false, 'planted', "
                                             "'planted'::bytea || '\\x00ff'::bytea)");
  one.source.insert(2);
  const auto why = one.source.halts();
  CHECK(to_string(why).find("sink_failed sqlstate=23514") == 0);
  CHECK(one.source.confirmed() < end);
  CHECK(one.target.effects() == 1);
  one.source.stop();
  CHECK_THAT(log->text(), Contains("23514") && !Contains("planted"));
  one.target.exec("alter table ledger drop constraint fit");
  one.run();
  REQUIRE(one.holds(3));
  CHECK(one.told() == texts{"1 0", "alone planted", "2 0"});
  // All of its bytes: "planted", a zero, and one that is no UTF-8.
  CHECK(one.target.lines("line->>'content_base64'", "line->>'prefix' = 'planted'") ==
        texts{"cGxhbnRlZAD/"});
}
