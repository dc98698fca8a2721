// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/control_question.hpp"
#include "replicant/actors/postgres/checkpoint_table.hpp"
#include "replicant/tests/cli/invocation.hpp"
#include "replicant/tests/support/pg_cluster.hpp"

#include <nlohmann/json.hpp>

#include <csignal>
#include <filesystem>

using namespace replicant;
using namespace replicant::test;
using Catch::Matchers::Contains;

namespace {

pg_cluster& server() {
  static pg_cluster one;
  return one;
}

const std::string suffix = ".before-";

/// A database, slot and pipeline of one name, and the commands that change its position.
class shop {
public:
  /// `sink` is the rest of the configuration.
  shop(const std::string& name, const std::string& sink) : name_{name} {
    server().exec("CREATE DATABASE " + name);
    client().exec("CREATE TABLE t (id int PRIMARY KEY); CREATE PUBLICATION p FOR TABLE t");
    configure(sink);
  }

  void configure(const std::string& sink) {
    file_ = write_in(folder, "c.toml",
                     "[runtime]\nstate_dir = \"" + (folder / "state") +
                       "\"\n[[pipeline]]\nname = \"" + name_ + "\"\nslot_name = \"" + name_ +
                       "\"\npublication = \"p\"\ngo_forward_only = true\nconnection = { conninfo = "
                       "\"" +
                       conninfo() + "\" }\n" + sink);
  }

  [[nodiscard]] std::string conninfo() const {
    return server().conninfo("user=postgres dbname=" + name_);
  }

  [[nodiscard]] sql_client client() const { return server().client(name_); }

  [[nodiscard]] const std::string& file() const { return file_; }

  outcome run(const std::string& verb, const std::string& confirmation = {}) const {
    std::vector<std::string> arguments{"checkpoint", verb, file_};
    if (!confirmation.empty())
      arguments.insert(arguments.end(), {"--confirm", confirmation});
    return run_program(arguments);
  }

  nlohmann::json shown() const {
    const auto told = run_program({"checkpoint", "show", file_, "--format", "json"});
    return nlohmann::json::parse(told.out).at("checkpoints").at(0);
  }

  void make_slot() const {
    client().exec("SELECT pg_create_logical_replication_slot('" + name_ + "', 'pgoutput')");
  }

  void drop_slot() const { client().exec("SELECT pg_drop_replication_slot('" + name_ + "')"); }

  [[nodiscard]] std::string confirmed() const {
    return client().value(
      "SELECT confirmed_flush_lsn FROM pg_replication_slots WHERE slot_name = '" + name_ + "'");
  }

  /// Runs the program until `until` holds, and stops it.
  template <class Condition>
  void stream(Condition until) const {
    invocation running{folder, {"run", file_}};
    CHECK(wait_until(until));
    running.signal(SIGTERM);
    CHECK(running.wait() == 0);
  }

  /// Streams a row with this id to the file.
  void stream_row(int id) const {
    const auto text = "\"id\":" + std::to_string(id);
    invocation running{folder, {"run", file_}};
    REQUIRE(wait_until([&] { return streams(); }));
    client().exec("INSERT INTO t VALUES (" + std::to_string(id) + ")");
    CHECK(wait_until([&] { return written().find(text) != std::string::npos; }));
    running.signal(SIGTERM);
    CHECK(running.wait() == 0);
  }

  [[nodiscard]] bool streams() const {
    const auto told = cli::ask_status(folder / "state/control.sock");
    return told && told->find("\"state\":\"streaming\"") != std::string::npos;
  }

  [[nodiscard]] std::string written() const { return read_file(lines()); }

  [[nodiscard]] std::string lines() const { return folder / "out.jsonl"; }

  /// What was kept of files, by its first name.
  [[nodiscard]] std::map<std::string, std::string> kept() const {
    std::map<std::string, std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator{folder.path()})
      if (const auto name = entry.path().filename().string();
          name.find(suffix) != std::string::npos)
        found.emplace(name.substr(0, name.find(suffix)), read_file(entry.path()));
    return found;
  }

  [[nodiscard]] postgres::checkpoint_table store() const {
    return postgres::checkpoint_table{conninfo(), "kept", name_};
  }

  temp_dir folder;

private:
  std::string name_;
  std::string file_;
};

std::string to_file(const temp_dir& folder) {
  return "sink = { kind = \"jsonl\", path = \"" + (folder / "out.jsonl") + "\" }\n";
}

/// A shop that writes a file.
struct filing : shop {
  explicit filing(const std::string& name) : shop{name, "sink = { kind = \"null\" }\n"} {
    configure(to_file(folder));
  }
};

/// A shop that keeps its position in its own database.
struct storing : shop {
  explicit storing(const std::string& name) : shop{name, "sink = { kind = \"null\" }\n"} {
    configure("sink = { kind = \"null\" }\ncheckpoint_store = { conninfo = \"" + conninfo() +
              "\", table = \"kept\" }\n");
  }
};

session_identity stranger(const std::string& name) {
  return {.system_identifier = "42", .timeline = 1, .database = name, .slot_name = name};
}

} // namespace

TEST_CASE("a slot that was made by hand is adopted by a new file", "[cli][postgres]") {
  const filing one{"by_hand"};
  one.make_slot();
  one.client().exec("INSERT INTO t VALUES (1)");
  CHECK(run_program({"run", one.file()}).code == 1); // checkpoint_missing

  const auto told = one.run("adopt");
  CHECK(told.code == 0);
  CHECK_THAT(told.out, Contains("held:    nothing"));
  CHECK_THAT(told.out, Contains("confirmed up to " + one.confirmed()));
  CHECK_THAT(told.out, Contains("--pipeline by_hand --confirm by_hand"));
  CHECK(one.written().empty());

  const auto done = one.run("adopt", "by_hand");
  CHECK(done.code == 0);
  CHECK_THAT(done.out, Contains("done:"));
  CHECK(one.shown().at("ahead_of_slot_bytes") == 0);
  CHECK(one.shown().at("reason").is_null());
  one.stream([&] { return one.written().find("\"id\":1}") != std::string::npos; });
}

TEST_CASE("after an upgrade the file is begun anew and the old one kept", "[cli][postgres]") {
  const filing one{"upgraded"};
  one.stream_row(1);
  // As the file of another cluster, which had the same slot.
  auto lines = one.written();
  const auto identifier = one.client().value("SELECT system_identifier FROM pg_control_system()");
  lines.replace(lines.find(identifier), identifier.size(), "42");
  write_file(one.lines(), lines);
  std::filesystem::remove(one.lines() + ".synced");
  one.client().exec("INSERT INTO t VALUES (2)");
  CHECK(run_program({"run", one.file()}).code == 1); // session_identity_rejected

  const auto told = one.run("adopt");
  CHECK(told.code == 0);
  CHECK_THAT(told.out, Contains("of server 42, database upgraded"));
  CHECK_THAT(told.out, Contains("server:  server " + identifier));
  CHECK_THAT(told.out, Contains("cannot be compared"));
  CHECK(one.written() == lines);
  CHECK(one.kept().empty());

  const auto wrong = one.run("adopt", "Upgraded");
  CHECK(wrong.code == 2);
  CHECK_THAT(wrong.err, Contains("--confirm") && !Contains("Upgraded"));
  CHECK(one.written() == lines);

  CHECK(one.run("adopt", "upgraded").code == 0);
  CHECK(one.kept() == std::map<std::string, std::string>{{"out.jsonl", lines}});
  one.stream([&] { return one.written().find("\"id\":2}") != std::string::npos; });
  CHECK(one.written().find("\"id\":1}") == std::string::npos);
}

TEST_CASE("what adopting loses or repeats is told by its positions", "[cli][postgres]") {
  const filing one{"moved"};
  one.stream_row(1);
  CHECK_THAT(one.run("adopt").out, Contains("meaning: nothing"));
  one.client().exec("INSERT INTO t VALUES (2)");
  one.client().exec("SELECT pg_replication_slot_advance('moved', pg_current_wal_lsn())");
  CHECK(one.shown().at("reason") == "slot_advanced");
  CHECK_THAT(one.run("adopt").out, Contains("LOST: what was committed between"));
  CHECK(one.run("adopt", "moved").code == 0);
  one.stream_row(3);
  CHECK(one.written().find("\"id\":2}") == std::string::npos);
}

TEST_CASE("adopting where the file has more than the slot repeats it", "[cli][postgres]") {
  const filing one{"behind"};
  one.make_slot();
  CHECK(one.run("adopt", "behind").code == 0);
  one.stream_row(1);
  // The slot as it was before: only a server that crashed has such a one.
  auto lines = one.written();
  lines += R"({"kind":"progress","lsn":"FFFFFFFF/0"})"
           "\n";
  write_file(one.lines(), lines);
  std::filesystem::remove(one.lines() + ".synced");
  CHECK_THAT(one.run("adopt").out, Contains("REPEATED: what was committed between"));
}

TEST_CASE("nothing is adopted or reset while somebody is at work", "[cli][postgres]") {
  const filing one{"at_work"};
  {
    invocation running{one.folder, {"run", one.file()}};
    REQUIRE(wait_until([&] { return one.streams(); }));
    for (const auto* verb : {"adopt", "reset"}) {
      const auto refused = one.run(verb, "at_work");
      CHECK(refused.code == 1);
      CHECK_THAT(refused.err, Contains("a program runs this configuration"));
    }
    // From another configuration the file's lock tells, and the server.
    const auto other = [&](const std::string& sink) {
      const temp_dir elsewhere;
      const auto file = write_in(
        elsewhere, "c.toml",
        "[runtime]\nstate_dir = \"" + (elsewhere / "state") +
          "\"\n[[pipeline]]\nname = \"at_work\"\nslot_name = \"at_work\"\npublication = \"p\"\n"
          "connection = { conninfo = \"" +
          one.conninfo() + "\" }\n" + sink);
      for (const auto* verb : {"adopt", "reset"}) {
        const auto refused = run_program({"checkpoint", verb, file, "--confirm", "at_work"});
        CHECK(refused.code == 1);
        CHECK_THAT(refused.err, Contains("was not changed"));
        CHECK_THAT(refused.err, Contains("sink_locked") || Contains("slot_active"));
      }
    };
    other(to_file(one.folder));
    other("sink = { kind = \"null\" }\ncheckpoint_store = { conninfo = \"" + one.conninfo() +
          "\", table = \"kept\" }\n");
    running.signal(SIGTERM);
    CHECK(running.wait() == 0);
  }
  CHECK(one.kept().empty());
  CHECK(one.client().value("SELECT count(*) FROM pg_class WHERE relname LIKE 'kept%'") == "0");
}

TEST_CASE("a slot that is not there or cannot be used is not adopted", "[cli][postgres]") {
  const filing one{"unfit"};
  const auto none = one.run("adopt", "unfit");
  CHECK(none.code == 1);
  CHECK_THAT(none.err, Contains("there is no slot unfit"));
  one.client().exec("SELECT pg_create_logical_replication_slot('unfit', 'test_decoding')");
  const auto other = one.run("adopt", "unfit");
  CHECK(other.code == 1);
  CHECK_THAT(other.err, Contains("slot_wrong_plugin"));
  CHECK_FALSE(std::filesystem::exists(one.lines()));
}

TEST_CASE("a file is reset, and the next start is a first one", "[cli][postgres]") {
  const filing one{"forgotten"};
  one.stream_row(1);
  const auto lines = one.written();
  const auto told = one.run("reset");
  CHECK(told.code == 0);
  CHECK_THAT(told.out, Contains("checkpoint_missing"));
  CHECK(one.written() == lines);
  CHECK(one.run("reset", "other").code == 2);
  CHECK(one.run("reset", "forgotten").code == 0);
  CHECK_FALSE(std::filesystem::exists(one.lines()));
  CHECK(one.kept().at("out.jsonl") == lines);
  CHECK(one.shown().at("sink") == "no file yet");
  CHECK(run_program({"run", one.file()}).code == 1);
  one.drop_slot();
  CHECK_THAT(one.run("reset").out, Contains("without a slot the next start makes one"));
  one.stream_row(2);
  CHECK(one.written().find("\"id\":1}") == std::string::npos);
}

TEST_CASE("a pipeline that keeps no position has none to change", "[cli][postgres]") {
  const shop one{"keeping_none", "sink = { kind = \"null\" }\n"};
  for (const auto* verb : {"adopt", "reset"}) {
    const auto refused = one.run(verb, "keeping_none");
    CHECK(refused.code == 2);
    CHECK_THAT(refused.err, Contains("keeps no position"));
  }
}

TEST_CASE("a checkpoint in a store is shown beside its slot", "[cli][postgres]") {
  const storing one{"in_store"};
  const auto before = one.shown();
  CHECK(before.at("sink") == "no row in its store yet");
  CHECK(before.at("in_store") == true);
  CHECK(before.at("reason").is_null());
  CHECK(one.client().value("SELECT count(*) FROM pg_class WHERE relname LIKE 'kept%'") == "0");

  one.make_slot();
  auto store = one.store();
  REQUIRE(store.prepare(stranger("in_store")));
  CHECK(one.shown().at("sink") == "no position yet");
  const auto confirmed = parse_lsn(one.confirmed());
  REQUIRE(confirmed);
  const lsn ahead{confirmed->value() + 999};
  REQUIRE(store.write(watermark::through(ahead), std::array{state_entry{"schema.1", "x"}}));
  const auto told = one.shown();
  CHECK(told.at("sink") == "holds a position");
  CHECK(told.at("durable") == to_string(ahead));
  CHECK(told.at("system_identifier") == "42");
  CHECK(told.at("database") == "in_store");
  CHECK(told.at("sink_slot_name") == "in_store");
  CHECK(told.at("state_entries") == 1);
  CHECK(told.at("ahead_of_slot_bytes") == 1000);
  CHECK(told.at("updated_at").get<std::string>().ends_with("Z"));
  const auto table = run_program({"checkpoint", "show", one.file()});
  CHECK(table.code == 0);
  CHECK_THAT(table.out, Contains(told.at("updated_at").get<std::string>()));

  one.client().exec("DROP TABLE kept_state");
  const auto damaged = run_program({"checkpoint", "show", one.file()});
  CHECK(damaged.code == 1);
  CHECK_THAT(damaged.out, Contains("in_store: checkpoint_store_mismatch"));
}

TEST_CASE("a position in a store is adopted for the server as it is now", "[cli][postgres]") {
  const storing one{"taken_over"};
  one.make_slot();
  auto store = one.store();
  REQUIRE(store.prepare(stranger("taken_over")));
  REQUIRE(store.write(watermark::through(lsn{7}), std::array{state_entry{"schema.1", "x"}}));
  const auto told = one.run("adopt");
  CHECK(told.code == 0);
  CHECK_THAT(told.out, Contains("position 0/7 of server 42"));
  CHECK_THAT(told.out, Contains("entries of state: 1"));
  CHECK(store.read()->held.durable == watermark::through(lsn{7}));

  CHECK(one.run("adopt", "wrong").code == 2);
  CHECK(store.read()->held.durable == watermark::through(lsn{7}));
  CHECK(one.run("adopt", "taken_over").code == 0);
  const auto held = store.read();
  REQUIRE(held);
  CHECK(to_string(held->held.durable.acknowledged()) == one.confirmed());
  CHECK(held->held.state.empty());
  CHECK(held->source->system_identifier ==
        one.client().value("SELECT system_identifier FROM pg_control_system()"));

  CHECK_THAT(one.run("reset").out, Contains("nothing is held any more"));
  CHECK(one.run("reset", "taken_over").code == 0);
  CHECK(store.read()->held.memory == sink_memory::empty);
  CHECK(one.confirmed() != ""); // The slot is not touched.
}

TEST_CASE("a store is reset when its source is gone for good", "[cli][postgres]") {
  storing one{"orphaned"};
  auto store = one.store();
  REQUIRE(store.prepare(stranger("orphaned")));
  const auto gone = one.folder / "nowhere";
  const auto file = write_in(one.folder, "gone.toml",
                             "[runtime]\nstate_dir = \"" + (one.folder / "state") +
                               "\"\n[[pipeline]]\nname = \"orphaned\"\nslot_name = \"orphaned\"\n"
                               "publication = \"p\"\nsink.kind = \"null\"\n"
                               "connection.conninfo = \"host=" +
                               gone + " user=u dbname=d\"\ncheckpoint_store = { conninfo = \"" +
                               one.conninfo() + "\", table = \"kept\" }\n");
  const auto adopting = run_program({"checkpoint", "adopt", file});
  CHECK(adopting.code == 3);
  CHECK_THAT(adopting.err, Contains("server_unavailable"));
  const auto told = run_program({"checkpoint", "reset", file, "--confirm", "orphaned"});
  CHECK(told.code == 0);
  CHECK_THAT(told.out, Contains("not known (server_unavailable)"));
  CHECK(store.read()->held.memory == sink_memory::empty);
}

TEST_CASE("of several pipelines one has to be named", "[cli][postgres]") {
  const temp_dir folder;
  std::string text = "[runtime]\nstate_dir = \"" + (folder / "state") + "\"\n";
  for (const std::string name : {"one", "two"})
    text += "[[pipeline]]\nname = \"" + name + "\"\nslot_name = \"" + name +
            "\"\npublication = \"p\"\nconnection.conninfo = \"host=/nowhere dbname=d\"\n"
            "sink = { kind = \"jsonl\", path = \"" +
            (folder / name) + "\" }\n";
  const auto file = write_in(folder, "c.toml", text);
  const auto refused = run_program({"checkpoint", "reset", file});
  CHECK(refused.code == 2);
  CHECK_THAT(refused.err, Contains("--pipeline"));
  CHECK(run_program({"checkpoint", "reset", file, "--pipeline", "two"}).code == 0);
  CHECK(run_program({"checkpoint", "reset", file, "--pipeline", "three"}).code == 2);
}
