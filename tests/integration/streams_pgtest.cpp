// SPDX-License-Identifier: MIT
#include "replicant/tests/integration/source_pipeline.hpp"
#include "replicant/tests/support/ledger_database.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

using namespace replicant;
using namespace replicant::test;
using namespace std::chrono_literals;

namespace {

using texts = std::vector<std::string>;

/// A pipeline whose server streams everything that is larger than 64 kB.
struct stream_run {
  stream_run() { source.settings.messages = true; }

  void run() { source.run(target.sinks()); }

  [[nodiscard]] bool holds(std::uint64_t effects) const {
    return wait_until([&] { return target.effects() == effects; }, 60s);
  }

  /// The columns that rows came with, in the order of their change.
  [[nodiscard]] texts shapes() const {
    auto all = target.lines("(select string_agg(key, ' ') from json_object_keys("
                            "line->'record') key)",
                            "line->>'kind' = 'change'");
    all.erase(std::ranges::unique(all).begin(), all.end());
    return all;
  }

  [[nodiscard]] std::uint64_t streamed() const {
    return std::stoull(server.client().value("select stream_txns from pg_stat_replication_slots "
                                             "where slot_name = 'source'"));
  }

  pg_cluster server{{.conf = {"logical_decoding_work_mem = 64kB"}}};
  pg_cluster storage;
  source_pipeline source{server, "source"};
  ledger_database target{storage};
};

/// As many rows as the server does not keep.
std::string rows(int first) {
  return "insert into t (id, note) select g, repeat('x', 400) from generate_series(" +
         std::to_string(first) + ", " + std::to_string(first + 299) + ") g;";
}

} // namespace

TEST_CASE("what a server cannot decode while it is open is taken at its commit",
          "[integration][postgres][streams]") {
  stream_run one;
  one.run();
  // The server takes the old row of pg_class for removed by the command that was rolled back, and
  // ends the stream with an error, each time it comes there.
  one.source.exec_while_away("begin;" + rows(1) + "savepoint a; alter table t add n int;" +
                             rows(1000) + "rollback to a;" + rows(2000) +
                             "alter table t add m int; insert into t values (3000, 'x', 7);"
                             "commit");
  REQUIRE(one.holds(601));
  CHECK(one.target.doubled() == 0);
  CHECK(one.shapes() == texts{"id note", "id note m"});
  // It had been asked for, or this would prove nothing.
  CHECK(one.streamed() > 0);
  one.source.interrupt();
  const auto before = one.streamed();
  one.source.exec("begin;" + rows(4000) + "commit");
  REQUIRE(one.holds(901));
  CHECK(wait_until([&] { return one.streamed() > before; }));
}

TEST_CASE("a table that was altered by others while a stream is open is told as it is then",
          "[integration][postgres][streams]") {
  stream_run one;
  one.run();
  auto streaming = one.source.sql();
  const auto reads = [&] { REQUIRE(one.source.reads_on()); };
  // The lock on the table goes with the subtransaction, and what was announced for it with it.
  one.source.exec("create table filler (id int, note text); insert into t values (1, 'before')");
  streaming.exec("begin; savepoint a; insert into t values (2, 'rolled back');" + rows(1000));
  one.source.exec("select pg_logical_emit_message(true, 'flush', '')");
  reads();
  streaming.exec("rollback to a");
  one.source.exec("alter table t rename note to renamed; insert into t values (3, 'x')");
  reads();
  streaming.exec("insert into filler select g, repeat('x', 400) from generate_series(1, 300) g;"
                 "commit");
  one.source.insert(4);
  REQUIRE(one.holds(304));
  CHECK(one.target.lines("line->'record'->>'renamed'",
                         "line->'record'->>'id' in ('3', '4') and line->>'table' = 't'") ==
        texts{"x", "x"});
  CHECK(one.streamed() > 0);
}

TEST_CASE("messages and batches keep their places between streams",
          "[integration][postgres][streams]") {
  stream_run one;
  one.source.settings.batch_delivery = {.max_transactions = 100, .max_delay = 1h};
  one.run();
  auto first = one.source.sql();
  auto second = one.source.sql();
  first.exec("begin;" + rows(1));
  second.exec("begin;" + rows(1000));
  one.source.exec("select pg_logical_emit_message(true, 'small', '')");
  REQUIRE(one.source.reads_on());
  first.exec("select pg_logical_emit_message(true, 'inside', '')");
  second.exec("commit");
  // Stands alone, delivers the batch before it, and not the transaction around it.
  first.exec("select pg_logical_emit_message(false, 'alone', '')");
  one.source.exec("select pg_logical_emit_message(true, 'flush', '')");
  REQUIRE(one.holds(302));
  CHECK(one.target.batches() == std::vector<std::uint64_t>{2});
  // Of an empty stream nothing is acknowledged past the batch that waits.
  const auto held = one.source.confirmed();
  one.source.exec("begin; savepoint a;" + rows(2000) + "rollback to a; commit");
  REQUIRE(one.source.reads_on());
  first.exec("commit");
  REQUIRE(one.source.reads_on());
  CHECK(one.source.confirmed() == held);
  CHECK(one.source.stop().phase == pipeline_phase::stopped);
  CHECK(one.target.effects() == 604);
  CHECK(one.target.doubled() == 0);
  CHECK(one.target.lines("line->>'prefix'", "line->>'kind' = 'message'") ==
        texts{"small", "alone", "flush", "inside"});
  CHECK(one.streamed() > 0);
}
