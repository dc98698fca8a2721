// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/control_question.hpp"
#include "replicant/tests/cli/invocation.hpp"
#include "replicant/tests/support/pg_cluster.hpp"

#include <nlohmann/json.hpp>

#include <csignal>

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

/// A configuration with one pipeline of this name, on a database and a slot of the same name.
std::string configuration(const temp_dir& folder, const std::string& name,
                          const std::string& conninfo) {
  return "[runtime]\nstate_dir = \"" + (folder / "state") + "\"\n[[pipeline]]\nname = \"" + name +
         "\"\nslot_name = \"" + name +
         "\"\npublication = \"p\"\ngo_forward_only = true\nconnection = { conninfo = \"" +
         conninfo + "\" }\nsink = { kind = \"jsonl\", path = \"" + (folder / "out.jsonl") +
         "\" }\n";
}

std::string conninfo_of(const std::string& database) {
  return server().conninfo("user=postgres dbname=" + database);
}

/// As above, with the database and a publication made.
std::string fresh(const temp_dir& folder, const std::string& name) {
  server().exec("create database " + name);
  server().client(name).exec(
    "create table t (id int primary key); create publication p for table t");
  return write_in(folder, "c.toml", configuration(folder, name, conninfo_of(name)));
}

void make_slot(const std::string& name) {
  server().client(name).exec("select pg_create_logical_replication_slot('" + name +
                             "', 'pgoutput')");
}

bool slot_exists(const std::string& name) {
  return server().client().holds(
    "select count(*) = 1 from pg_replication_slots where slot_name = '" + name + "'");
}

nlohmann::json only(const std::string& document, const char* list) {
  const auto parsed = nlohmann::json::parse(document);
  REQUIRE(parsed.at("format") == 1);
  REQUIRE(parsed.at(list).size() == 1);
  return parsed.at(list).at(0);
}

/// The program, streaming.
class streaming {
public:
  streaming(const temp_dir& folder, const std::string& file) : running_{folder, {"run", file}} {
    REQUIRE(wait_until([&] {
      const auto told = replicant::cli::ask_status(folder / "state/control.sock");
      return told && told->find("\"state\":\"streaming\"") != std::string::npos;
    }));
  }

  void stop() {
    running_.signal(SIGTERM);
    CHECK(running_.wait() == 0);
  }

private:
  invocation running_;
};

} // namespace

TEST_CASE("a slot is listed as its server keeps it", "[cli][postgres]") {
  const temp_dir folder;
  const auto file = fresh(folder, "listed");
  const auto missing = run_program({"slot", "list", file});
  CHECK(missing.code == 1);
  CHECK_THAT(missing.out, Contains("missing"));

  make_slot("listed");
  const auto table = run_program({"slot", "list", file});
  CHECK(table.code == 0);
  CHECK_THAT(table.out, StartsWith("PIPELINE"));
  CHECK_THAT(table.out, Contains("ready"));
  CHECK_THAT(table.out, Contains("pgoutput"));
  const auto told = run_program({"slot", "list", file, "--format", "json"});
  CHECK(told.code == 0);
  const auto slot = only(told.out, "slots");
  CHECK(slot.at("exists") == true);
  CHECK(slot.at("state") == "ready");
  CHECK(slot.at("database") == "listed");
  CHECK(slot.at("wal_status") == "reserved");
  CHECK(slot.at("active_pid").is_null());
  CHECK(slot.at("reason").is_null());
  auto client = server().client();
  CHECK(slot.at("confirmed_flush_lsn") ==
        client.value("select confirmed_flush_lsn from pg_replication_slots "
                     "where slot_name = 'listed'"));
  CHECK(slot.at("retained_bytes").get<std::uint64_t>() <=
        std::stoull(client.value("select pg_current_wal_lsn() - restart_lsn from "
                                 "pg_replication_slots where slot_name = 'listed'")));
}

TEST_CASE("a slot that cannot be used is listed with the reason", "[cli][postgres]") {
  const temp_dir folder;
  const auto file = fresh(folder, "odd");
  server().client("odd").exec("select pg_create_logical_replication_slot('odd', 'test_decoding')");
  const auto told = run_program({"slot", "list", file});
  CHECK(told.code == 1);
  CHECK_THAT(told.out, Contains("\nodd: slot_wrong_plugin"));
  const auto dropping = run_program({"slot", "drop", file, "--yes"});
  CHECK(dropping.code == 1);
  CHECK_THAT(dropping.err, Contains("slot_wrong_plugin"));
  CHECK(slot_exists("odd"));
}

TEST_CASE("a server that cannot be asked is told without its slot", "[cli][postgres]") {
  const temp_dir folder;
  const auto file =
    write_in(folder, "c.toml",
             configuration(folder, "away", "host=" + (folder / "nowhere") + " user=u dbname=d"));
  const auto told = run_program({"slot", "list", file, "--format", "json"});
  CHECK(told.code == 3);
  const auto slot = only(told.out, "slots");
  CHECK(slot.at("exists").is_null());
  CHECK(slot.at("reason") == "server_unavailable");
  CHECK(run_program({"slot", "drop", file, "--yes"}).code == 3);
  const auto shown = run_program({"checkpoint", "show", file, "--format", "json"});
  CHECK(shown.code == 0);
  CHECK(only(shown.out, "checkpoints").at("slot_reason") == "server_unavailable");
}

TEST_CASE("a slot is dropped only when that was said, and then it is gone", "[cli][postgres]") {
  const temp_dir folder;
  const auto file = fresh(folder, "dropped");
  make_slot("dropped");
  server().client("dropped").exec(
    "select pg_create_logical_replication_slot('not_named', 'pgoutput')");
  const auto asked = run_program({"slot", "drop", file});
  CHECK(asked.code == 1);
  CHECK_THAT(asked.err, Contains("needs --yes"));
  CHECK(slot_exists("dropped"));

  const auto done = run_program({"slot", "drop", file, "--yes"});
  CHECK(done.code == 0);
  CHECK_THAT(done.out, Contains("the next start needs a new file"));
  CHECK_THAT(done.out, Contains("the slot dropped is dropped"));
  CHECK_FALSE(slot_exists("dropped"));
  CHECK(slot_exists("not_named"));

  const auto again = run_program({"slot", "drop", file, "--yes"});
  CHECK(again.code == 0);
  CHECK_THAT(again.out, Contains("there is no slot dropped"));
  server().client("dropped").exec("select pg_drop_replication_slot('not_named')");
}

TEST_CASE("only the slot of the pipeline that was asked for is dropped", "[cli][postgres]") {
  const temp_dir folder;
  const auto file = fresh(folder, "kept");
  make_slot("kept");
  const auto other = run_program({"slot", "drop", file, "--yes", "--pipeline", "other"});
  CHECK(other.code == 2);
  CHECK(slot_exists("kept"));
  CHECK(run_program({"slot", "drop", file, "--yes", "--pipeline", "kept"}).code == 0);
  CHECK_FALSE(slot_exists("kept"));
}

TEST_CASE("a slot in use is neither dropped nor missing", "[cli][postgres]") {
  const temp_dir folder;
  const auto file = fresh(folder, "used");
  streaming program{folder, file};
  const auto listed = run_program({"slot", "list", file});
  CHECK(listed.code == 0);
  CHECK_THAT(listed.out, Contains("in use"));
  const auto refused = run_program({"slot", "drop", file, "--yes"});
  CHECK(refused.code == 1);
  CHECK_THAT(refused.err, Contains("a program runs this configuration"));

  // From another configuration only the server can tell.
  const temp_dir elsewhere;
  const auto same =
    write_in(elsewhere, "c.toml", configuration(elsewhere, "used", conninfo_of("used")));
  const auto held = run_program({"slot", "drop", same, "--yes"});
  CHECK(held.code == 1);
  CHECK_THAT(held.err, Contains("slot_active"));
  CHECK(slot_exists("used"));
  program.stop();
  CHECK(run_program({"slot", "drop", file, "--yes"}).code == 0);
}

TEST_CASE("a checkpoint is shown while the program runs and after it", "[cli][postgres]") {
  const temp_dir folder;
  const auto file = fresh(folder, "shown");
  const auto before = run_program({"checkpoint", "show", file});
  CHECK(before.code == 0);
  CHECK_THAT(before.out, Contains("no file yet"));

  const auto show = [&](int code) {
    const auto told = run_program({"checkpoint", "show", file, "--format", "json"});
    CHECK(told.code == code);
    return only(told.out, "checkpoints");
  };
  {
    streaming program{folder, file};
    server().client("shown").exec("insert into t values (1)");
    REQUIRE(wait_until(
      [&] { return read_file(folder / "out.jsonl").find("\"commit\"") != std::string::npos; }));
    const auto running = show(0);
    CHECK(running.at("sink") == "holds a position");
    CHECK(running.at("database") == "shown");
    CHECK(running.at("sink_slot_name") == "shown");
    CHECK(running.at("reason").is_null());
    program.stop();
  }
  const auto after = show(0);
  CHECK(after.at("file_bytes") == std::filesystem::file_size(folder / "out.jsonl"));
  CHECK(after.at("state_entries") == 2); // The shape of the table, and the timeline.
  CHECK(after.at("torn_bytes") == 0);
  CHECK(after.at("ahead_of_slot_bytes") == 0);
  CHECK(after.at("reason").is_null());

  // Somebody moves the slot: what the server would send next is no longer all that is missing.
  server().client("shown").exec("insert into t values (2)");
  server().client("shown").exec(
    "select pg_replication_slot_advance('shown', pg_current_wal_lsn())");
  CHECK(show(1).at("reason") == "slot_advanced");
  CHECK_THAT(run_program({"checkpoint", "show", file}).out, Contains("shown: slot_advanced"));
  CHECK(run_program({"slot", "drop", file, "--yes"}).code == 0);
  const auto alone = show(1);
  CHECK(alone.at("confirmed_flush_lsn").is_null());
  CHECK(alone.at("reason") == "data_gap");
}

TEST_CASE("a file that cannot be read is told with the reason", "[cli][postgres]") {
  const temp_dir folder;
  const auto file = fresh(folder, "damaged");
  write_in(folder, "out.jsonl", "{\"kind\":\"nonsense\"}\n");
  const auto told = run_program({"checkpoint", "show", file});
  CHECK(told.code == 1);
  CHECK_THAT(told.out, Contains("damaged: sink_unreadable"));
  CHECK_THAT(told.out, !Contains("nonsense"));
}
