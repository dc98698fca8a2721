// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/control_question.hpp"
#include "replicant/actors/cli/status_document.hpp"
#include "replicant/tests/cli/invocation.hpp"
#include "replicant/tests/support/pg_cluster.hpp"

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <fstream>
#include <sstream>

using namespace replicant::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using replicant::test::pg_cluster;
using replicant::test::wait_until;

namespace {

pg_cluster& server() {
  static pg_cluster one;
  return one;
}

/// A database of its own with a table and a publication.
std::string fresh_database(const std::string& name) {
  server().exec("create database " + name);
  auto session = server().client(name);
  session.exec("create table t (id int primary key, note text);"
               "create publication p for table t");
  return server().conninfo("user=postgres dbname=" + name);
}

std::string runtime(const temp_dir& folder) {
  return "[runtime]\nstate_dir = \"" + (folder / "state") + "\"\n";
}

std::string pipeline(const std::string& name, const std::string& conninfo,
                     const std::string& sink) {
  return "[[pipeline]]\nname = \"" + name + "\"\nslot_name = \"" + name +
         "\"\npublication = \"p\"\ngo_forward_only = true\nconnection = { conninfo = \"" +
         conninfo + "\" }\nsink = { " + sink + " }\n";
}

std::string jsonl(const temp_dir& folder) {
  return "kind = \"jsonl\", path = \"" + (folder / "out.jsonl") + "\"";
}

/// What the running program says of a pipeline; null while it does not answer.
nlohmann::json told(const temp_dir& folder, const std::string& name) {
  const auto answer = replicant::cli::ask_status(folder / "state/control.sock");
  if (!answer)
    return {};
  const auto document = nlohmann::json::parse(*answer);
  for (const auto& one : document.at("pipelines"))
    if (one.at("name") == name)
      return one;
  return {};
}

bool in_state(const temp_dir& folder, const std::string& name, const std::string& state) {
  const auto one = told(folder, name);
  return !one.is_null() && one.at("state") == state;
}

bool has_transactions(const temp_dir& folder, const std::string& name, int count) {
  const auto one = told(folder, name);
  return !one.is_null() && one.at("transactions") == count;
}

/// A named pipe that the program writes to, with the reader in our hands.
class output_pipe {
public:
  explicit output_pipe(const temp_dir& folder) : path_{folder / "pipe"} {
    REQUIRE(mkfifo(path_.c_str(), 0600) == 0);
    reader_ = open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    REQUIRE(reader_ >= 0);
  }

  output_pipe(const output_pipe&) = delete;
  output_pipe& operator=(const output_pipe&) = delete;

  ~output_pipe() { leave(); }

  [[nodiscard]] const std::string& path() const { return path_; }

  /// Takes what is there. @returns all that was taken so far.
  const std::string& take() {
    std::array<char, 65536> piece{};
    for (;;) {
      const auto got = read(reader_, piece.data(), piece.size());
      if (got <= 0)
        return taken_;
      taken_.append(piece.data(), static_cast<std::size_t>(got));
    }
  }

  void leave() {
    if (reader_ >= 0)
      close(reader_);
    reader_ = -1;
  }

private:
  std::string path_;
  std::string taken_;
  int reader_ = -1;
};

/// How many lines of a kind; each has to be JSON.
std::ptrdiff_t count_lines(const std::string& text, const std::string& kind) {
  std::ptrdiff_t found = 0;
  std::istringstream lines{text};
  for (std::string line; std::getline(lines, line);)
    found += nlohmann::json::parse(line).at("kind") == kind ? 1 : 0;
  return found;
}

constexpr auto to_standard_output = R"(kind = "jsonl", path = "-")";

void drop_slot(const std::string& name) {
  REQUIRE(wait_until([&] {
    return server().client().value("select active from pg_replication_slots where slot_name = '" +
                                   name + "'") == "f";
  }));
  server().exec("select pg_drop_replication_slot('" + name + "')");
}

} // namespace

TEST_CASE("a run streams into the file, goes on where it was, and stops as asked",
          "[cli][postgres]") {
  const temp_dir folder;
  const auto conninfo = fresh_database("run_and_stop");
  const auto file =
    write_in(folder, "r.toml", runtime(folder) + pipeline("run_and_stop", conninfo, jsonl(folder)));
  auto writer = server().client("run_and_stop");
  for (int round = 1; round <= 2; ++round) {
    if (round == 2)
      std::ofstream{folder / "out.jsonl", std::ios::app} << "as a crash leaves it";
    invocation running{folder, {"run", file}};
    REQUIRE(wait_until([&] { return in_state(folder, "run_and_stop", "streaming"); }));
    CHECK((running.err().find("run_and_stop: cut 20 bytes off") != std::string::npos) ==
          (round == 2));
    writer.exec("insert into t values (" + std::to_string(round) + ", 'noted')");
    REQUIRE(wait_until([&] { return has_transactions(folder, "run_and_stop", 1); }));
    running.signal(SIGTERM);
    CHECK(running.wait() == 0);
    CHECK_THAT(running.err(), Contains("run_and_stop: stopped, acknowledged"));
    CHECK(running.err().find(" running\n") < running.err().find("run_and_stop: connecting"));
    CHECK_THAT(running.err(), !Contains("noted"));
  }
  const auto written = read_file(folder / "out.jsonl");
  for (const auto* row : {"{\"id\":1,\"note\":\"noted\"}", "{\"id\":2,\"note\":\"noted\"}"}) {
    const auto found = written.find(row);
    REQUIRE(found != std::string::npos);
    CHECK(written.find(row, found + 1) == std::string::npos);
  }
  drop_slot("run_and_stop");
}

TEST_CASE("the null sink tells at the end what it counted", "[cli][postgres]") {
  const temp_dir folder;
  const auto conninfo = fresh_database("count");
  const auto file =
    write_in(folder, "r.toml", runtime(folder) + pipeline("count", conninfo, "kind = \"null\""));
  invocation running{folder, {"run", file}};
  REQUIRE(wait_until([&] { return in_state(folder, "count", "streaming"); }));
  server().client("count").exec("insert into t select g, 'x' from generate_series(1, 5) g");
  REQUIRE(wait_until([&] { return has_transactions(folder, "count", 1); }));
  running.signal(SIGINT);
  CHECK(running.wait() == 0);
  CHECK_THAT(running.out(), StartsWith("count: 1 transactions, 5 rows, 0 messages, 10 bytes, "));
  drop_slot("count");
}

TEST_CASE("standard output gets lines and nothing else", "[cli][postgres]") {
  const temp_dir folder;
  const auto conninfo = fresh_database("lines");
  const auto file = write_in(folder, "r.toml",
                             runtime(folder) + pipeline("lines", conninfo, to_standard_output) +
                               pipeline("counted", conninfo, "kind = \"null\""));
  for (int round = 1; round <= 2; ++round) {
    invocation running{folder, {"run", file}};
    REQUIRE(wait_until([&] {
      return in_state(folder, "lines", "streaming") && in_state(folder, "counted", "streaming");
    }));
    server().client("lines").exec("insert into t values (" + std::to_string(round) + ", 'x')");
    REQUIRE(wait_until([&] {
      return has_transactions(folder, "lines", 1) && has_transactions(folder, "counted", 1);
    }));
    running.signal(SIGTERM);
    CHECK(running.wait() == 0);
    CHECK_THAT(running.out(), StartsWith("{\"kind\":\"header\""));
    CHECK(count_lines(running.out(), "header") == 1);
    CHECK(count_lines(running.out(), "commit") == 1);
    CHECK_THAT(running.err(), Contains("lines: standard output gets every transaction at least"));
    CHECK_THAT(running.err(), Contains("counted: 1 transactions, 1 rows"));
  }
  drop_slot("lines");
  drop_slot("counted");
}

TEST_CASE("standard output has one header, however often the connection breaks",
          "[cli][postgres]") {
  const temp_dir folder;
  const auto conninfo = fresh_database("reconnects");
  const auto file = write_in(
    folder, "r.toml", runtime(folder) + pipeline("reconnects", conninfo, to_standard_output));
  invocation running{folder, {"run", file}};
  auto writer = server().client("reconnects");
  for (int round = 1; round <= 3; ++round) {
    REQUIRE(wait_until([&] { return in_state(folder, "reconnects", "streaming"); }));
    writer.exec("insert into t values (" + std::to_string(round) + ", 'x')");
    REQUIRE(wait_until([&] { return has_transactions(folder, "reconnects", round); }));
    if (round < 3)
      writer.exec("select pg_terminate_backend(active_pid) from pg_replication_slots"
                  " where slot_name = 'reconnects'");
  }
  running.signal(SIGTERM);
  CHECK(running.wait() == 0);
  CHECK(count_lines(running.out(), "header") == 1);
  // What was delivered is remembered as long as the program lives.
  CHECK(count_lines(running.out(), "commit") == 3);
  drop_slot("reconnects");
}

TEST_CASE("a reader that goes away halts the pipeline", "[cli][postgres]") {
  const temp_dir folder;
  const auto conninfo = fresh_database("gone");
  const auto file =
    write_in(folder, "r.toml", runtime(folder) + pipeline("gone", conninfo, to_standard_output));
  output_pipe pipe{folder};
  invocation running{folder, {"run", file}, {}, pipe.path()};
  REQUIRE(wait_until([&] { return in_state(folder, "gone", "streaming"); }));
  CHECK(wait_until([&] { return count_lines(pipe.take(), "header") == 1; }));
  pipe.leave();
  server().client("gone").exec("insert into t values (1, 'x')");
  CHECK(running.wait() == 1);
  CHECK_THAT(
    running.err(),
    Contains("gone: HALTED: sink_failed errno=32 (Broken pipe): whoever reads standard output"));
  drop_slot("gone");
}

TEST_CASE("a slow reader is waited for and misses nothing", "[cli][postgres]") {
  const temp_dir folder;
  const auto conninfo = fresh_database("slow");
  const auto file =
    write_in(folder, "r.toml",
             runtime(folder) + "log_level = \"debug\"\n" +
               pipeline("slow", conninfo, to_standard_output) + "max_inflight_lag = \"256KiB\"\n");
  output_pipe pipe{folder};
  invocation running{folder, {"run", file}, {}, pipe.path()};
  REQUIRE(wait_until([&] { return in_state(folder, "slow", "streaming"); }));
  auto writer = server().client("slow");
  for (int row = 1; row <= 200; ++row)
    writer.exec("insert into t values (" + std::to_string(row) + ", repeat('x', 10000))");
  REQUIRE(wait_until([&] { return running.err().find("reading rests") != std::string::npos; }));
  CHECK(in_state(folder, "slow", "streaming"));
  CHECK_FALSE(has_transactions(folder, "slow", 200));
  REQUIRE(wait_until([&] {
    pipe.take();
    return has_transactions(folder, "slow", 200);
  }));
  running.signal(SIGTERM);
  CHECK(running.wait() == 0);
  CHECK(count_lines(pipe.take(), "commit") == 200);
  CHECK(count_lines(pipe.take(), "change") == 200);
  drop_slot("slow");
}

TEST_CASE("when the last pipeline has halted the run ends with 1 and tells the cure",
          "[cli][postgres]") {
  const temp_dir folder;
  const auto conninfo = fresh_database("halts");
  server().client("halts").exec("drop publication p");
  const auto file =
    write_in(folder, "r.toml", runtime(folder) + pipeline("halts", conninfo, jsonl(folder)));
  invocation running{folder, {"run", file}};
  CHECK(running.wait() == 1);
  CHECK_THAT(running.err(), Contains("halts: HALTED: publication_missing"));
  CHECK_THAT(running.err(), Contains("`CREATE PUBLICATION <name> FOR TABLE"));

  const auto after = run_program({"status", file});
  CHECK(after.code == 1);
  CHECK_THAT(after.err, Contains("nothing is running"));
  CHECK_THAT(after.out, Contains("halts: publication_missing"));
}

TEST_CASE("other pipelines go on when one halts, and starting again is the resume",
          "[cli][postgres]") {
  const temp_dir folder;
  const auto good = fresh_database("goes_on");
  const auto bad = fresh_database("stops");
  server().client("stops").exec("drop publication p");
  const auto file = write_in(folder, "r.toml",
                             runtime(folder) + pipeline("stops", bad, jsonl(folder)) +
                               pipeline("goes_on", good, "kind = \"null\""));
  {
    invocation running{folder, {"run", file}};
    REQUIRE(wait_until([&] {
      return in_state(folder, "stops", "halted") && in_state(folder, "goes_on", "streaming");
    }));
    CHECK(run_program({"status", file}).code == 1);
    server().client("goes_on").exec("insert into t values (1, 'x')");
    CHECK(wait_until([&] { return has_transactions(folder, "goes_on", 1); }));
    running.signal(SIGTERM);
    CHECK(running.wait() == 1);
  }
  server().client("stops").exec("create publication p for table t");
  {
    invocation running{folder, {"run", file}};
    REQUIRE(wait_until([&] {
      return in_state(folder, "stops", "streaming") && in_state(folder, "goes_on", "streaming");
    }));
    CHECK(run_program({"status", file}).code == 0);
    running.signal(SIGTERM);
    CHECK(running.wait() == 0);
  }
  CHECK(run_program({"status", file}).code == 3);
  drop_slot("stops");
  drop_slot("goes_on");
}

TEST_CASE("a halt that cannot be kept is told once, whatever halts after it", "[cli][postgres]") {
  const temp_dir folder;
  auto text = runtime(folder);
  for (const auto* name : {"unkept_a", "unkept_b"}) {
    const auto conninfo = fresh_database(name);
    server().client(name).exec("drop publication p");
    text += pipeline(name, conninfo, "kind = \"null\"");
    // Where the record is written first, a folder cannot be opened for that.
    std::filesystem::create_directories(folder / ("state/" + std::string{name} + ".halted.new"));
  }
  invocation running{folder, {"run", write_in(folder, "r.toml", text)}};
  CHECK(running.wait() == 1);
  for (const auto* name : {"unkept_a", "unkept_b"}) {
    const auto told = std::string{name} + ": its halt could not be written";
    const auto first = running.err().find(told);
    REQUIRE(first != std::string::npos);
    CHECK(running.err().find(told, first + 1) == std::string::npos);
  }
}

TEST_CASE("only the pipeline that was asked for runs", "[cli][postgres]") {
  const temp_dir folder;
  const auto conninfo = fresh_database("chosen");
  const auto file = write_in(folder, "r.toml",
                             runtime(folder) + pipeline("chosen", conninfo, "kind = \"null\"") +
                               pipeline("ignored", conninfo, jsonl(folder)));
  invocation running{folder, {"run", file, "--pipeline", "chosen"}};
  REQUIRE(wait_until([&] { return in_state(folder, "chosen", "streaming"); }));
  CHECK(told(folder, "ignored").is_null());
  running.signal(SIGTERM);
  CHECK(running.wait() == 0);
  drop_slot("chosen");
}

TEST_CASE("a program that cannot finish leaves at the second signal, or when it has waited enough",
          "[cli][postgres]") {
  const auto conninfo = fresh_database("stuck");
  for (const bool impatient : {true, false}) {
    const temp_dir folder;
    const auto gate = write_in(folder, "gate", "");
    const auto file =
      write_in(folder, "r.toml", runtime(folder) + pipeline("stuck", conninfo, jsonl(folder)));
    invocation running{
      folder, {"run", file}, {{"REPLICANT_FAILPOINT", "before_write=block:" + gate}}};
    REQUIRE(wait_until([&] { return std::filesystem::exists(gate + ".reached"); }));
    running.signal(SIGTERM);
    REQUIRE(wait_until([&] { return running.err().find("stopping as") != std::string::npos; }));
    if (impatient)
      REQUIRE(wait_until([&] {
        running.signal(SIGTERM);
        return running.err().find("so leaving at once") != std::string::npos;
      }));
    CHECK(running.wait() == 143);
    CHECK((running.err().find("did not finish in time") == std::string::npos) == impatient);
  }
}
