// SPDX-License-Identifier: MIT
#include "replicant/tests/cli/tail_fixture.hpp"

#include <nlohmann/json.hpp>
#include <sys/wait.h>

#include <algorithm>

using namespace replicant::test;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::Matches;
using Catch::Matchers::StartsWith;

TEST_CASE("every kind of change is shown as text", "[cli][postgres]") {
  const temp_dir folder;
  const auto conninfo = fresh_database("text");
  invocation running{folder, {"tail", conninfo, "-p", "p", "--messages"}, plain_terminal};
  await_stream("text");
  server().client("text").exec(
    "alter table t alter note set storage external;"
    "create table f (id int primary key, note text, qty int); alter table f replica identity full");
  auto writer = server().client("text");
  writer.exec("insert into t values (1, 'two words'), (2, null), (3, 'NULL'), (4, '')");
  writer.exec("update t set note = 'x' where id = 1; update t set id = 20 where id = 2;"
              "delete from t where id = 3");
  writer.exec("insert into f values (1, 'a', 1); update f set qty = 2; delete from f");
  writer.exec("insert into t values (5, repeat('x', 3000)); update t set id = 50 where id = 5");
  writer.exec("truncate t restart identity cascade");
  writer.exec("select pg_logical_emit_message(false, 'mail', 'it''s')");
  REQUIRE(wait_until([&] { return has(running.out(), "MESSAGE"); }));
  CHECK(stop(running) == 0);
  CHECK(running.err().empty());
  CHECK_THAT(
    entries_of(running.out()),
    Matches("INSERT public\\.t  \\[id=1\\]  note='two words'\n"
            "INSERT public\\.t  \\[id=2\\]  note=NULL\n"
            "INSERT public\\.t  \\[id=3\\]  note='NULL'\n"
            "INSERT public\\.t  \\[id=4\\]  note=''\n"
            "UPDATE public\\.t  \\[id=1\\]  note=x\n"
            "UPDATE public\\.t  \\[id=2 -> 20\\]  note=NULL\n"
            "DELETE public\\.t  \\[id=3\\]\n"
            "INSERT public\\.f  \\[id=1\\]  note=a  qty=1\n"
            "UPDATE public\\.f  \\[id=1\\]  qty=1 -> 2\n"
            "DELETE public\\.f  \\[id=1\\]  note=a  qty=2\n"
            "INSERT public\\.t  \\[id=5\\]  note=x{3000}\n"
            "UPDATE public\\.t  \\[id=5 -> 50\\]  note=\\(unchanged\\)\n"
            "TRUNCATE public\\.t  cascade  restart identity\n"
            "MESSAGE mail  'it''s'  \\(outside of transactions, [0-9A-F]+/[0-9A-F]+\\)\n"));
  CHECK_THAT(lines_of(running.out()).front(),
             Matches("-- transaction \\d+, [0-9A-F]+/[0-9A-F]+, [-0-9T:.]+Z, 4 changes --"));
  await_no_slot("text");
}

TEST_CASE("the JSON form is a header and the lines of a file", "[cli][postgres]") {
  const temp_dir folder;
  const auto conninfo = fresh_database("json");
  invocation running{folder, {"tail", conninfo, "-p", "p", "--format", "json"}};
  await_stream("json");
  // The header does not wait for a change.
  REQUIRE(wait_until([&] { return has(running.out(), "\n"); }));
  server().client("json").exec("insert into t values (1, 'x'); update t set note = null;"
                               "delete from t; truncate t");
  REQUIRE(wait_until([&] { return has(running.out(), R"("kind":"commit")"); }));
  CHECK(stop(running, SIGINT) == 0);
  std::vector<nlohmann::json> lines;
  for (const auto& line : lines_of(running.out()))
    lines.push_back(nlohmann::json::parse(line));
  REQUIRE(lines.size() == 7);
  CHECK(lines[0].at("kind") == "header");
  CHECK(lines[0].at("database") == "json");
  CHECK_THAT(lines[0].at("slot_name"), StartsWith("replicant_tail_"));
  CHECK(lines[1].at("kind") == "begin");
  CHECK(lines[2].at("record") == nlohmann::json{{"id", 1}, {"note", "x"}});
  CHECK(lines[3].at("record").at("note").is_null());
  CHECK(lines[4].at("old") == nlohmann::json{{"id", 1}});
  CHECK(lines[5].at("op") == "truncate");
  CHECK(lines[6].at("changes") == 4);
  await_no_slot("json");
}

TEST_CASE("only the tables asked for are shown, and one that nothing publishes is told",
          "[cli][postgres]") {
  const temp_dir folder;
  const auto conninfo = fresh_database("chosen");
  auto writer = server().client("chosen");
  writer.exec("create schema shop; create table shop.t (id int primary key);"
              "create table other (id int primary key)");
  invocation running{folder,
                     {"tail", conninfo, "-p", "p", "-t", "shop.t", "-t", "T", "-t", "other"},
                     plain_terminal};
  await_stream("chosen");
  CHECK(wait_until(
    [&] { return has(running.err(), "1 of the 3 tables asked for are in none of these"); }));
  writer.exec("begin; insert into t values (1); insert into shop.t values (2); commit;"
              "insert into t values (3)");
  writer.exec("insert into other values (4)");
  REQUIRE(wait_until([&] { return has(running.out(), "public.other"); }));
  CHECK(entries_of(running.out()) == "INSERT shop.t  [id=2]\nINSERT public.other  [id=4]\n");
  CHECK(lines_of(running.out()).size() == 4);
  CHECK(stop(running) == 0);
}

TEST_CASE("it ends by itself after as many changes as were asked for", "[cli][postgres]") {
  const temp_dir folder;
  const auto conninfo = fresh_database("enough");
  invocation text{folder, {"tail", conninfo, "-p", "p", "--max", "3"}, plain_terminal};
  await_stream("enough");
  auto writer = server().client("enough");
  writer.exec("insert into t values (1)");
  writer.exec("insert into t select g from generate_series(2, 9) g");
  CHECK(text.wait() == 0);
  CHECK_THAT(text.out(), Contains(", 1 change --") && Contains("the first 2 of 8 changes"));
  CHECK_THAT(text.out(), EndsWith("INSERT public.t  [id=3]  note=NULL\n"));
  await_no_slot("enough");

  invocation json{folder, {"tail", conninfo, "-p", "p", "--max", "2", "--format", "json"}};
  await_stream("enough");
  writer.exec("delete from t");
  CHECK(json.wait() == 0);
  CHECK_THAT(json.out(), EndsWith("\"shown\":2}\n") && Contains(R"({"kind":"cut",)"));
  CHECK(lines_of(json.out()).size() == 5);
}

TEST_CASE("no row, table or column moves the cursor or forges a line", "[cli][postgres]") {
  const temp_dir folder;
  const auto conninfo = fresh_database("hostile");
  for (const auto* locale : {"C.UTF-8", "C"}) {
    invocation running{folder, {"tail", conninfo, "-p", "p", "--messages"}, {{"LC_ALL", locale}}};
    await_stream("hostile");
    server().client("hostile").exec(
      "create table if not exists \"t\x1b[2J\nINSERT public.t\" (\"c\r\x1b]0;x\" text);"
      "insert into \"t\x1b[2J\nINSERT public.t\" values (E'\\x1b[31m\\x07\\n-- transaction 1 "
      "--\\r'),"
      "(U&'\\202e\\2066\\009b31m\\200b\\feff')");
    server().client("hostile").exec(
      "select pg_logical_emit_message(false, E'\\x1b[2J\\n', E'\\x1bc\\n')");
    REQUIRE(wait_until([&] { return has(running.out(), "MESSAGE"); }));
    CHECK(stop(running) == 0);
    const auto shown = running.out();
    CHECK(lines_of(shown).size() == 4);
    CHECK(std::ranges::none_of(
      shown, [](unsigned char c) { return (c < ' ' && c != '\n') || c == 0x7F; }));
    for (const auto* hidden : {"\u202e", "\u2066", "\u009b", "\u200b", "\ufeff"})
      CHECK_FALSE(has(shown, hidden));
    CHECK(has(shown, "\u2500") == (std::string{locale} == "C.UTF-8"));
    await_no_slot("hostile");
  }
}

TEST_CASE("on a terminal there are colours, a welcome and lines that fit", "[cli][postgres]") {
  const temp_dir folder;
  const auto conninfo = fresh_database("terminal");
  // script(1) gives the program a terminal of its own.
  const auto start = [&](const std::string& log, const std::string& variables) {
    return std::make_unique<child_process>(
      std::vector<std::string>{"bash", "-c",
                               "exec script -qefc \"stty cols 60; env LC_ALL=C.UTF-8 TERM=xterm " +
                                 variables + " '$0' tail '$1' -p p --max 1\" /dev/null",
                               program_path(), conninfo},
      folder / log);
  };
  for (const bool coloured : {true, false}) {
    const std::string log = coloured ? "coloured" : "plain";
    const auto running = start(log, coloured ? "" : "NO_COLOR=1");
    await_stream("terminal");
    REQUIRE(wait_until([&] { return has(read_file(folder / log), "Ctrl-C"); }));
    server()
      .client("terminal")
      .exec("insert into t values (" + std::to_string(coloured) + ", repeat('word ', 50))");
    const auto ended = running->wait(20s);
    REQUIRE(ended);
    CHECK(WEXITSTATUS(*ended) == 0);
    const auto shown = read_file(folder / log);
    CHECK_THAT(shown,
               Contains("connected to PostgreSQL ") && Contains("temporary slot replicant_tail_"));
    CHECK(has(shown, "\x1b[32mINSERT") == coloured);
    CHECK(has(shown, "\x1b[") == coloured);
    CHECK(has(shown, "\u2026"));
  }
}
