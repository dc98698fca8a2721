// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/stream_sink.hpp"
#include "replicant/actors/sinks/null/null_sink.hpp"
#include "replicant/actors/sinks/tail/json_format.hpp"
#include "replicant/actors/sinks/tail/tail_sink.hpp"
#include "replicant/actors/sinks/tail/text_format.hpp"
#include "replicant/tests/sinks/jsonl_fixture.hpp"
#include "replicant/tests/sinks/written_lines.hpp"

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

using namespace replicant;
using namespace replicant::test;
using Catch::Matchers::Contains;

namespace {

/// The fixture's table is what came of another name, without one column and with a new one.
schema_change altered(std::uint64_t commit) {
  auto before = orders;
  before.name = "sa\"les";
  before.columns[1].name = "remark";
  return {lsn{commit}, std::make_shared<const relation>(before),
          std::make_shared<const relation>(orders), differences_between(before, orders)};
}

constexpr auto altered_line =
  R"({"kind":"schema_change","schema":"public","table":"orders","commit_lsn":"0/C8",)"
  R"("changes":[{"change":"table_renamed","from":{"schema":"public","table":"sa\"les"}},)"
  R"({"change":"column_dropped","column":"remark"},{"change":"column_added","column":"note"}],)"
  R"("columns":["id","note","blob"],"key":["id"]})";

std::vector<std::string> kinds_of(std::string_view text) {
  std::vector<std::string> kinds;
  for (const auto& line : lines_of(text))
    kinds.push_back(nlohmann::json::parse(line).at("kind"));
  return kinds;
}

using kinds = std::vector<std::string>;

} // namespace

TEST_CASE("a schema change is a line behind the begin line, exactly as documented",
          "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  auto running = started(path);
  REQUIRE(running.sink->handle_schema_change(altered(200)));
  REQUIRE(deliver(*running.sink, one_row(200)));
  REQUIRE(deliver(*running.sink, one_row(300)));
  const auto lines = lines_of(read_file(path));
  REQUIRE(lines.size() == 8);
  CHECK(lines[2] == altered_line);
  CHECK(kinds_of(read_file(path)) ==
        kinds{"header", "begin", "schema_change", "change", "commit", "begin", "change", "commit"});
  const auto commit = nlohmann::json::parse(lines[4]);
  CHECK(commit.at("changes") == 1);
  CHECK(commit.at("bytes") == lines[1].size() + lines[2].size() + lines[3].size() + 3);
}

TEST_CASE("a recovered file holds its schema changes as parts of their transactions",
          "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  {
    auto running = started(path);
    REQUIRE(running.sink->handle_schema_change(altered(200)));
    REQUIRE(deliver(*running.sink, one_row(200)));
  }
  const auto whole = read_file(path);
  CHECK(started(path).checkpoint.durable == watermark::through(lsn{200}));
  CHECK(read_file(path) == whole);
  // What is told of a transaction that the file holds already is not written.
  {
    auto running = started(path);
    REQUIRE(running.sink->handle_schema_change(altered(200)));
    REQUIRE(deliver(*running.sink, one_row(200)));
    REQUIRE(deliver(*running.sink, one_row(300)));
    CHECK(kinds_of(read_file(path).substr(whole.size())) == kinds{"begin", "change", "commit"});
  }
  // A byte of it that is wrong is damage, as in any other line.
  auto damaged = whole;
  damaged[damaged.find("column_dropped")] = 'C';
  remove((path + ".synced").c_str());
  write_file(path, damaged);
  CHECK(started(path).checkpoint.torn_bytes == whole.size() - shop_header.size());
}

TEST_CASE("a schema change whose transaction does not come next is not written", "[sinks][unit]") {
  line_writer lines;
  lines.announce(altered(200));
  lines.begin(one_row(300));
  lines.commit();
  lines.begin(one_row(200));
  lines.commit();
  CHECK(kinds_of(lines.pending()) == kinds{"begin", "commit", "begin", "commit"});
}

TEST_CASE("standard output gets the same line", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "out";
  const auto file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  REQUIRE(file >= 0);
  stream_sink sink{std::make_shared<line_stream>(file)};
  REQUIRE(sink.handle_schema_change(altered(200)));
  REQUIRE(sink.handle_transaction(one_row(200)));
  REQUIRE(sink.make_durable());
  ::close(file);
  CHECK_THAT(read_file(path), Contains(std::string{"\n"} + altered_line + "\n"));
}

TEST_CASE("whoever looks on is told of changes of the tables he looks at", "[sinks][unit]") {
  std::string shown;
  const auto look = [&shown](std::unique_ptr<tail_format> format, const std::string& table) {
    shown.clear();
    tail_sink sink{std::make_shared<tail_view>(tail_setup{.tables = table_choice{{table}},
                                                          .most = {},
                                                          .format = std::move(format),
                                                          .write =
                                                            [&shown](std::string_view text) {
                                                              shown.append(text);
                                                              return 0;
                                                            },
                                                          .over = [] {}})};
    REQUIRE(sink.handle_schema_change(altered(200)));
    REQUIRE(sink.handle_transaction(one_row(200)));
    REQUIRE(sink.make_durable());
  };
  const auto text = [] {
    return std::make_unique<text_format>([] { return text_style{}; }, text_format::key_source{});
  };
  look(text(), "orders");
  CHECK_THAT(shown, Catch::Matchers::StartsWith(
                      "-- public.orders has changed: table_renamed from public.\"sa\"\"les\", "
                      "column_dropped remark, column_added note\n-- transaction"));
  look(text(), "other");
  CHECK(shown.empty());
  look(std::make_unique<json_format>(), "orders");
  CHECK(kinds_of(shown) == kinds{"begin", "schema_change", "change", "commit"});
}

TEST_CASE("a sink that only counts takes every shape", "[sinks][unit]") {
  null_sink sink{std::make_shared<null_totals>()};
  CHECK(sink.handle_schema_change(altered(200)));
}
