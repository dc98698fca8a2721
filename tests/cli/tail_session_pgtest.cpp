// SPDX-License-Identifier: MIT
#include "replicant/tests/cli/tail_fixture.hpp"

#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>

using namespace replicant::test;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::Matches;
using Catch::Matchers::StartsWith;

TEST_CASE("a reader that has gone ends it at once, whether or not anything follows",
          "[cli][postgres]") {
  const temp_dir folder;
  const auto conninfo = fresh_database("piped");
  const auto pipe_into_head = [&](const std::string& format) {
    return std::make_unique<child_process>(
      std::vector<std::string>{"bash", "-c",
                               "\"$0\" tail \"$1\" -p p --format \"$2\" | head -n 1; "
                               "echo \"ended ${PIPESTATUS[0]}\"",
                               program_path(), conninfo, format},
      folder / format);
  };
  // The header is a line already.
  const auto json = pipe_into_head("json");
  CHECK(json->wait(20s));
  CHECK_THAT(read_file(folder / "json"),
             StartsWith("{\"kind\":\"header\"") && EndsWith("\nended 0\n"));
  await_no_slot("piped");

  const auto text = pipe_into_head("text");
  await_stream("piped");
  server().client("piped").exec("insert into t values (1)");
  CHECK(text->wait(20s));
  CHECK_THAT(read_file(folder / "text"), Contains("transaction") && EndsWith("\nended 0\n"));
  await_no_slot("piped");
}

TEST_CASE("a reader that waits slows it down, loses nothing, and does not keep it from ending",
          "[cli][postgres]") {
  const temp_dir folder;
  const auto conninfo = fresh_database("blocked");
  const auto pipe = folder / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const auto gate = folder / "gate";
  // The reader opens the pipe and reads only when the gate is there.
  child_process reader{
    {"bash", "-c", "exec 3<\"$0\"; until [ -e \"$1\" ]; do sleep 0.05; done; cat <&3", pipe, gate},
    folder / "read"};
  child_process running{{"bash", "-c", "exec \"$0\" tail \"$1\" -p p --format json > \"$2\"",
                         program_path(), conninfo, pipe},
                        folder / "log"};
  await_stream("blocked");
  // More than a pipe and the buffers between hold.
  server().client("blocked").exec(
    "insert into t select g, repeat('x', 1000) from generate_series(1, 2000) g");
  server().client("blocked").exec("insert into t values (0, 'last')");
  write_file(gate, "");
  REQUIRE(wait_until([&] { return has(read_file(folder / "read"), "\"last\""); }));
  const auto read = lines_of(read_file(folder / "read"));
  CHECK(std::ranges::count_if(
          read, [](const auto& line) { return line.starts_with(R"({"kind":"change")"); }) == 2001);

  reader.signal(SIGSTOP);
  server().client("blocked").exec("update t set note = note");
  running.signal(SIGTERM);
  const auto ended = running.wait(20s);
  reader.signal(SIGCONT);
  REQUIRE(ended);
  CHECK(WIFEXITED(*ended));
  CHECK(WEXITSTATUS(*ended) == 0);
  await_no_slot("blocked");
}

TEST_CASE("killed, it leaves nothing behind on the server", "[cli][postgres]") {
  const temp_dir folder;
  const auto conninfo = fresh_database("killed");
  invocation running{folder, {"tail", conninfo, "-p", "p"}};
  await_stream("killed");
  running.signal(SIGKILL);
  CHECK(running.wait() == -SIGKILL);
  await_no_slot("killed");
  CHECK(wait_until([&] {
    return server().client().value(
             "select count(*) from pg_stat_activity where datname = 'killed'") == "0";
  }));
}

TEST_CASE("a new connection tells of the gap, and is told on standard error", "[cli][postgres]") {
  const temp_dir folder;
  const auto conninfo = fresh_database("gap");
  auto writer = server().client("gap");
  for (const std::string format : {"text", "json"}) {
    invocation running{folder, {"tail", conninfo, "-p", "p", "--format", format}, plain_terminal};
    await_stream("gap");
    writer.exec("insert into t values (1)");
    REQUIRE(
      wait_until([&] { return has(running.out(), "INSERT") || has(running.out(), "insert"); }));
    const auto first =
      server().client().value("select slot_name from pg_replication_slots where database = 'gap'");
    server().exec("select pg_terminate_backend(active_pid) from pg_replication_slots "
                  "where database = 'gap'");
    REQUIRE(wait_until([&] { return slots_of("gap", "slot_name = '" + first + "'") == "0"; }));
    await_stream("gap");
    writer.exec("delete from t");
    REQUIRE(
      wait_until([&] { return has(running.out(), "DELETE") || has(running.out(), "delete"); }));
    CHECK(stop(running) == 0);
    CHECK_THAT(running.err(), Contains("interrupted: server_unavailable sqlstate=57P01") &&
                                Contains("connected again"));
    const auto* const gap =
      format == "json"
        ? R"([^]*\n\{"kind":"gap","after":"[0-9A-F/]+","resumed":"[0-9A-F/]+"\}\n\{"kind":"begin"[^]*)"
        : R"([^]*\n-- reconnected; what was committed between [0-9A-F/]+ \([^)]*Z\) and )"
          R"([0-9A-F/]+ \([^)]*Z\) was not seen\n-- transaction[^]*)";
    CHECK_THAT(running.out(), Matches(gap));
  }
}

TEST_CASE("a server that starts again is found again, and did not wait for us", "[cli][postgres]") {
  const temp_dir folder;
  pg_cluster own;
  own.exec("create table t (id int primary key); create publication p for table t");
  invocation running{folder, {"tail", own.conninfo(), "-p", "p"}, plain_terminal};
  const auto streams = [&] {
    return own.client().holds("select count(*) = 1 from pg_replication_slots "
                              "where temporary and confirmed_flush_lsn is not null");
  };
  REQUIRE(wait_until(streams));
  CHECK(own.stop(stop_mode::fast) < 5s);
  REQUIRE(wait_until([&] { return has(running.err(), "interrupted"); }));
  own.start();
  REQUIRE(wait_until(streams));
  own.exec("insert into t values (1)");
  CHECK(wait_until([&] { return has(running.out(), "INSERT public.t  [id=1]"); }));
  // The news and the row come by different ways, so either may be shown first.
  CHECK(wait_until([&] { return has(running.out(), "-- reconnected; "); }));
  CHECK(stop(running) == 0);
}

TEST_CASE("what only a person can cure ends it with 1 and the words of run", "[cli][postgres]") {
  const auto conninfo = fresh_database("halted");
  const auto told = run_program({"tail", conninfo, "-p", "p,missing"});
  CHECK(told.code == 1);
  CHECK(told.out.empty());
  CHECK_THAT(told.err, StartsWith("replicant: HALTED: publication_missing: ") &&
                         Contains("CREATE PUBLICATION <name>"));
  CHECK_THAT(
    run_program({"tail", server().conninfo("user=postgres dbname=nowhere"), "-p", "p"}).err,
    Contains("HALTED: database_missing"));
  server().exec("create role reader login");
  CHECK_THAT(run_program({"tail", server().conninfo("user=reader dbname=halted"), "-p", "p"}).err,
             Contains("HALTED: replication_right_missing"));
}

TEST_CASE("a password is repeated nowhere, not even in the list of processes", "[cli][postgres]") {
  const temp_dir folder;
  const std::string planted = "s3cr3t-planted";
  pg_cluster own{{.hba = "local all postgres trust\nlocal all all scram-sha-256"}};
  own.exec("create table t (id int primary key); create publication p for table t;"
           "create role watcher login replication password '" +
           planted + "'");
  const auto with = [&](const std::string& password) {
    return own.conninfo("user=watcher dbname=postgres password=" + password);
  };
  const auto refused = run_program({"tail", with(planted + "-wrong"), "-p", "p"});
  CHECK(refused.code == 1);
  CHECK_THAT(refused.err, Contains("HALTED: password_wrong") && !Contains(planted));

  invocation running{folder, {"tail", with(planted), "-p", "p"}};
  REQUIRE(wait_until([&] {
    return own.client().holds("select count(*) = 1 from pg_replication_slots "
                              "where confirmed_flush_lsn is not null");
  }));
  CHECK_THAT(read_file("/proc/" + std::to_string(running.id()) + "/cmdline"),
             Contains("tail") && !Contains(planted));
  own.exec("select pg_terminate_backend(active_pid) from pg_replication_slots");
  REQUIRE(wait_until([&] { return has(running.err(), "connected again"); }));
  CHECK(stop(running) == 0);
  CHECK_THAT(running.out() + running.err(), !Contains(planted));
}

TEST_CASE("a slot that takes its time is explained, and an end meanwhile leaves none",
          "[cli][postgres]") {
  const temp_dir folder;
  const auto conninfo = fresh_database("slow");
  auto open = server().client("slow");
  open.exec("begin; insert into t values (1)");
  invocation running{folder, {"tail", conninfo, "-p", "p"}};
  REQUIRE(wait_until([&] { return has(running.err(), "transactions that are open"); }));
  CHECK(stop(running) == 0);
  await_no_slot("slow");
}

TEST_CASE("a standard output that is closed is refused", "[cli][postgres]") {
  const temp_dir folder;
  child_process shell{
    {"bash", "-c", "\"$0\" tail dbname=x -p p >&-; echo \"ended $?\"", program_path()},
    folder / "log"};
  CHECK(shell.wait(20s));
  CHECK_THAT(read_file(folder / "log"),
             Contains("standard output is closed") && EndsWith("ended 3\n"));
}

TEST_CASE("a publication without tables is told", "[cli][postgres]") {
  const temp_dir folder;
  const auto conninfo = fresh_database("empty");
  server().client("empty").exec("create publication nothing");
  invocation running{folder, {"tail", conninfo, "-p", "nothing"}};
  CHECK(wait_until([&] { return has(running.err(), "no table in these publications"); }));
  CHECK(stop(running) == 0);
}

TEST_CASE("a published table without replica identity is told by its name", "[cli][postgres]") {
  const temp_dir folder;
  const auto conninfo = fresh_database("keyless");
  server().client("keyless").exec("create table a_table_that_has_no_primary_key (id int)");
  invocation running{folder, {"tail", conninfo, "-p", "p"}};
  CHECK(wait_until([&] {
    return has(running.err(), "replicant: the published table "
                              "public.a_table_that_has_no_primary_key has no replica identity");
  }));
  CHECK_THAT(running.err(), Contains("`ALTER TABLE public.a_table_that_has_no_primary_key "
                                     "REPLICA IDENTITY FULL;`"));
  CHECK(stop(running) == 0);
}

TEST_CASE("an output that takes nothing more ends it with 1 and the reason", "[cli][postgres]") {
  const temp_dir folder;
  const auto conninfo = fresh_database("disk_full");
  child_process shell{{"bash", "-c",
                       "\"$0\" tail \"$1\" -p p --format json > /dev/full; echo \"ended $?\"",
                       program_path(), conninfo},
                      folder / "log"};
  CHECK(shell.wait(20s));
  CHECK_THAT(read_file(folder / "log"), Contains("HALTED: sink_failed errno=28") &&
                                          Contains("No space left") && EndsWith("ended 1\n"));
}
