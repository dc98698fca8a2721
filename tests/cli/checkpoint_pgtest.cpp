// SPDX-License-Identifier: MIT
#include "replicant/tests/cli/checkpoint_shop.hpp"

#include <csignal>
#include <filesystem>

using namespace replicant;
using namespace replicant::test;
using Catch::Matchers::Contains;

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
