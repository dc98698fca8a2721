// SPDX-License-Identifier: MIT
#include "replicant/tests/cli/invocation.hpp"
#include "replicant/tests/cli/notify_socket.hpp"
#include "replicant/tests/cli/terminal_session.hpp"
#include "replicant/tests/support/pg_cluster.hpp"

#include <csignal>

using namespace replicant::test;
using Catch::Matchers::Contains;
using replicant::test::pg_cluster;
using replicant::test::wait_until;

namespace {

pg_cluster& server() {
  static pg_cluster one;
  return one;
}

/// A pipeline and its slot with this name, in a database of its own.
std::string configuration(const temp_dir& folder, const std::string& name,
                          const std::string& publication) {
  server().exec("create database " + name);
  server().client(name).exec(
    "create table t (id int primary key); create publication p for table t");
  return write_in(folder, "c.toml",
                  "[runtime]\nstate_dir = \"" + (folder / "state") + "\"\n[[pipeline]]\nname = \"" +
                    name + "\"\nslot_name = \"" + name + "\"\npublication = \"" + publication +
                    "\"\ngo_forward_only = true\nconnection = { conninfo = \"" +
                    server().conninfo("user=postgres dbname=" + name) +
                    "\" }\nsink = { kind = \"jsonl\", path = \"" + (folder / "out.jsonl") +
                    "\" }\n");
}

} // namespace

TEST_CASE("a terminal shows how a stream moves", "[cli][postgres]") {
  const temp_dir folder;
  const auto file = configuration(folder, "moving", "p");
  terminal_session running{{"run", file}, {.width = 300}};
  REQUIRE(wait_until([&] { return running.shows("moving  streaming  0.0 transactions/s"); }));
  server().client("moving").exec("insert into t select g from generate_series(1, 500) g");
  CHECK(wait_until([&] {
    return running.shows("streaming  0.5 transactions/s, 250 rows/s, lag ") ||
           !running.shows("streaming  0.0 transactions/s, 0.0 rows/s");
  }));
  CHECK(wait_until([&] { return running.shows("rows/s, lag 0 B, last commit 20"); }));
  running.signal(SIGTERM);
  CHECK(running.wait() == 0);
  CHECK_FALSE(running.shows("moving  "));
  CHECK(running.shows("moving: stopped, acknowledged"));
  server().exec("select pg_drop_replication_slot('moving')");
}

TEST_CASE("the service manager is told of a halt", "[cli][postgres]") {
  const temp_dir folder;
  const notify_socket manager{folder};
  const auto file = configuration(folder, "halting", "no_such");
  invocation running{folder, {"run", file}, {{"NOTIFY_SOCKET", manager.path()}}};
  manager.await("STATUS=1 pipeline: 1 halted");
  CHECK(running.wait() == 1);
}

TEST_CASE("a slot is dropped when its name is typed, and only then", "[cli][postgres]") {
  const temp_dir folder;
  const auto file = configuration(folder, "typed", "p");
  server().client("typed").exec("select pg_create_logical_replication_slot('typed', 'pgoutput')");
  const auto answer = [&](const std::string& text) {
    terminal_session asking{{"slot", "drop", file}, {}};
    REQUIRE(wait_until([&] { return asking.shows("type the name of the slot"); }));
    asking.type(text + "\n");
    return asking.wait();
  };
  const auto exists = [] {
    return server().client().holds(
      "select count(*) = 1 from pg_replication_slots where slot_name = 'typed'");
  };
  CHECK(answer("yes") == 1);
  CHECK(exists());
  CHECK(answer("typed") == 0);
  CHECK_FALSE(exists());
}
