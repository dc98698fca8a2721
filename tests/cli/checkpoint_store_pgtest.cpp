// SPDX-License-Identifier: MIT
#include "replicant/tests/cli/checkpoint_shop.hpp"

#include <array>
#include <csignal>

using namespace replicant;
using namespace replicant::test;
using Catch::Matchers::Contains;

namespace {

session_identity stranger(const std::string& name) {
  return {.system_identifier = "42", .timeline = 1, .database = name, .slot_name = name};
}

} // namespace

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

TEST_CASE("a program that keeps its position in a store goes on from it, and from what was adopted",
          "[cli][postgres]") {
  const storing one{"end_to_end"};
  {
    invocation running{one.folder, {"run", one.file()}};
    REQUIRE(wait_until([&] { return one.streams(); }));
    one.client().exec("INSERT INTO t VALUES (1)");
    CHECK(wait_until([&] {
      return one.client().holds("SELECT count(*) = 1 FROM kept_state WHERE name LIKE 'schema.%'");
    }));
    running.signal(SIGKILL);
    CHECK(running.wait() == -SIGKILL);
  }
  CHECK(one.shown().at("reason").is_null());
  one.client().exec("INSERT INTO t VALUES (2)");
  one.client().exec("SELECT pg_replication_slot_advance('end_to_end', pg_current_wal_lsn())");
  CHECK(one.shown().at("reason") == "slot_advanced");
  invocation refused{one.folder, {"run", one.file()}};
  CHECK(refused.wait() == 1);
  CHECK_THAT(refused.err(), Contains("slot_advanced"));

  CHECK(one.run("adopt", "end_to_end").code == 0);
  invocation running{one.folder, {"run", one.file()}};
  REQUIRE(wait_until([&] { return one.streams(); }));
  one.client().exec("INSERT INTO t VALUES (3)");
  const auto end = one.client().value("SELECT pg_current_wal_lsn()");
  CHECK(wait_until([&] {
    return one.client().holds("SELECT pg_lsn '" + end +
                              "' <= '0/0'::pg_lsn + commit_lsn + 1 FROM "
                              "kept");
  }));
  running.signal(SIGTERM);
  CHECK(running.wait() == 0);
  CHECK(one.shown().at("ahead_of_slot_bytes") == 0);
}
