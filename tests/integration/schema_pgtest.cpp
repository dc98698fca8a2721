// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/jsonl_sink.hpp"
#include "replicant/tests/integration/kept_log.hpp"
#include "replicant/tests/integration/source_pipeline.hpp"
#include "replicant/tests/support/pg_cluster.hpp"
#include "replicant/tests/support/recording_sink.hpp"
#include "replicant/tests/support/test_files.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <sstream>

using namespace replicant;
using namespace replicant::test;
using Catch::Matchers::Contains;

namespace {

using names = std::vector<std::string>;

pg_cluster& server() {
  static pg_cluster one;
  return one;
}

/// A pipeline that streams.
struct altered_source : source_pipeline {
  altered_source(const std::string& name, sink_factory sinks,
                 std::shared_ptr<observer> watcher = nullptr)
    : source_pipeline{server(), name} {
    run(std::move(sinks), std::move(watcher));
  }
};

struct heard {
  std::shared_ptr<journal> log = std::make_shared<journal>();
  std::shared_ptr<sink_ledger> ledger = std::make_shared<sink_ledger>(log);

  /// Changes in the order in which the sink was told of them.
  [[nodiscard]] names changes() const {
    names found;
    for (const auto& line : log->lines())
      if (line.starts_with("changed "))
        found.push_back(line.substr(8));
    return found;
  }
};

} // namespace

TEST_CASE("every kind of DDL is told as what it does to the rows", "[integration][postgres]") {
  const heard sink;
  altered_source source{"ddl_kinds", sinks_over<with_schema_changes<recording_sink>>(sink.ledger)};
  source.exec("insert into t values (1, 'a')");
  const std::vector<std::pair<std::string, std::string>> steps{
    {"alter table t add column x int default 7", "public.t: column_added x"},
    {"alter table t rename column x to y", "public.t: column_dropped x, column_added y"},
    {"alter table t alter column y type bigint", "public.t: type_changed y"},
    {"alter table t alter column note type varchar(20)", "public.t: type_changed note"},
    {"alter table t alter column note type varchar(30)", "public.t: type_changed note"},
    {"alter table t replica identity full", "public.t: identity_changed"},
    {"alter table t add column z int", "public.t: column_added z"},
    {"alter table t replica identity default", "public.t: identity_changed"},
    {"alter table t alter column y set default 3, alter column y set not null", ""},
    {"alter table t drop constraint t_pkey, add primary key (id, y)", "public.t: identity_changed"},
    {"alter table t drop column z", "public.t: column_dropped z"},
    {"create schema s; alter table t set schema s", "s.t: table_renamed from public.t"},
    {"alter table s.t rename to u; alter table s.u set schema public",
     "public.u: table_renamed from s.t"},
    {"alter table u rename to t", "public.t: table_renamed from public.u"},
    {"vacuum full t", ""},
    {"truncate t", ""},
  };
  names expected;
  std::uint64_t taken = 1;
  for (const auto& [statement, told] : steps) {
    INFO(statement);
    source.exec(statement);
    const auto table = told.substr(0, told.find(':'));
    source.exec("insert into " + (table.empty() ? "t" : table) + " (id) values (" +
                std::to_string(taken + 1) + ")");
    if (!told.empty())
      expected.push_back(told);
    taken += statement == "truncate t" ? 2 : 1;
  }
  CHECK(source.took(taken));
  CHECK(sink.changes() == expected);
}

TEST_CASE("tables that are made anew or swap their names are told", "[integration][postgres]") {
  const heard sink;
  altered_source source{"ddl_names", sinks_over<with_schema_changes<recording_sink>>(sink.ledger)};
  source.exec("create table a (id int primary key); create table b (id int primary key);"
              "insert into a values (1)");
  source.exec("insert into b values (1)");
  source.exec("alter table a rename to c; alter table b rename to a; alter table c rename to b");
  source.exec("insert into a values (2)");
  source.exec("insert into b values (2)");
  source.exec("drop table a; create table a (id int primary key)");
  source.exec("insert into a values (3)");
  CHECK(source.took(5));
  CHECK(sink.changes() == names{"public.a: table_replaced, table_renamed from public.b",
                                "public.b: table_renamed from public.a",
                                "public.a: table_replaced"});
}

TEST_CASE("DDL done while disconnected is told when rows come again", "[integration][postgres]") {
  const heard sink;
  altered_source source{"ddl_away", sinks_over<with_schema_changes<recording_sink>>(sink.ledger)};
  source.exec("insert into t values (1, 'a')");
  REQUIRE(source.took(1));
  source.exec_while_away("alter table t rename column note to remark");
  source.exec("insert into t values (2, 'b')");
  REQUIRE(source.took(2));
  CHECK(sink.changes() == names{"public.t: column_dropped note, column_added remark"});
}

TEST_CASE("a sink without a word halts at a destructive change, its rows before it delivered",
          "[integration][postgres]") {
  const heard sink;
  altered_source source{"ddl_halts", sinks_over<recording_sink>(sink.ledger)};
  source.exec("insert into t values (1, 'a')");
  source.exec("begin; insert into t values (2, 'b'); alter table t drop column note;"
              "insert into t values (3); commit");
  REQUIRE(wait_until([&] { return source.now().phase == pipeline_phase::halted; }));
  CHECK_THAT(to_string(source.now().last_fault.value_or(fault{})),
             Contains("schema_change_destructive") && Contains("change=column_dropped"));
  CHECK(sink.ledger->commits().size() == 1);
}

TEST_CASE("the file tells what was altered, and no default reaches it or the log",
          "[integration][postgres]") {
  const temp_dir folder;
  const auto path = folder / "out.jsonl";
  const auto log = std::make_shared<kept_log>();
  {
    altered_source source{"ddl_secret", [&] { return jsonl_sink::open({.path = path}); },
                          logging_into(log)};
    source.exec("insert into t values (1, 'a')");
    source.exec("alter table t add column x text default 'planted_default'");
    source.exec("insert into t values (2, 'b', 'c')");
    REQUIRE(source.took(2));
    source.exec_while_away("alter table t alter column x set default 'planted_again', "
                           "drop column note");
    source.exec("insert into t values (3, 'd')");
    REQUIRE(source.took(3));
  }
  std::vector<nlohmann::json> told;
  std::istringstream lines{read_file(path)};
  for (std::string line; std::getline(lines, line);)
    if (auto one = nlohmann::json::parse(line); one.at("kind") == "schema_change")
      told.push_back(one.at("changes"));
  CHECK(told ==
        std::vector{nlohmann::json::parse(R"([{"change":"column_added","column":"x"}])"),
                    nlohmann::json::parse(R"([{"change":"column_dropped","column":"note"}])")});
  CHECK_THAT(log->text(), Contains("a table has changed: public.t: column_added x"));
  CHECK_THAT(log->text() + read_file(path), !Contains("planted"));
}
