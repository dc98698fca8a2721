// SPDX-License-Identifier: MIT
#include "replicant/tests/postgres/checkpoint_store_fixture.hpp"
#include "replicant/tests/support/permissions.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <string>
#include <vector>

using namespace replicant;
using namespace replicant::postgres;
using namespace replicant::postgres::store_test;
using namespace replicant::test;

TEST_CASE("what a store lacks is told by its own reason", "[postgres][store]") {
  database own{"lacking"};
  own.exec("CREATE ROLE poor LOGIN; REVOKE ALL ON SCHEMA public FROM PUBLIC");
  const auto poor = server().conninfo("user=poor dbname=lacking");
  const auto reading = [&](const std::string& table) {
    return refusal(checkpoint_table{poor, table, "shop"}).why;
  };
  CHECK(reading("kept") == reason::permission_denied);
  own.exec("GRANT USAGE ON SCHEMA public TO poor");
  CHECK(why(checkpoint_table{poor, "kept", "shop"}.prepare(source)) == reason::permission_denied);
  REQUIRE(own.store().prepare(source));
  CHECK(reading("kept") == reason::permission_denied);
  own.exec("GRANT SELECT, INSERT ON kept, kept_state TO poor");
  CHECK(held(checkpoint_table{poor, "kept", "shop"}).source);
  CHECK(why(checkpoint_table{poor, "kept", "shop"}.write(at(1), {})) == reason::permission_denied);
  own.exec("GRANT UPDATE ON kept, kept_state TO poor; GRANT DELETE ON kept_state TO poor");
  checkpoint_table rich{poor, "kept", "shop"};
  CHECK(rich.prepare(source));
  CHECK(rich.write(at(1), std::array{state_entry{"a", "x"}, state_entry{"b", {}}}));
  // A policy would hide the row.
  own.exec("ALTER TABLE kept ENABLE ROW LEVEL SECURITY");
  CHECK(reading("kept") == reason::permission_denied);

  const auto schema = own.store("nowhere.kept").prepare(source);
  CHECK(why(schema) == reason::checkpoint_store_failed);
  CHECK(to_string(schema.error()) == "checkpoint_store_failed sqlstate=3F000");
  CHECK_THAT(explain(schema.error()), Catch::Contains("CREATE SCHEMA"));
  CHECK(
    refusal(checkpoint_table{server().conninfo("user=postgres dbname=none"), "kept", "shop"}).why ==
    reason::database_missing);
}

TEST_CASE("the documented tables and rights are what a store needs", "[postgres][store]") {
  database own{"documented"};
  own.exec("CREATE ROLE cdc LOGIN; REVOKE ALL ON SCHEMA public FROM PUBLIC");
  own.exec(store_statements());
  checkpoint_table store{server().conninfo("user=cdc dbname=documented"), "replicant_checkpoints",
                         "shop"};
  const std::array changed{state_entry{"a", "x"}, state_entry{"b", {}}};
  REQUIRE(store.prepare(source));
  REQUIRE(store.write(at(5), changed));
  REQUIRE(store.replace(held(store), source, at(4)));
  REQUIRE(store.forget(held(store)));
  CHECK(held(store).held.memory == sink_memory::empty);
}

TEST_CASE("a lock of somebody else is waited for, and then it is a matter of time",
          "[postgres][store]") {
  database own{"locked"};
  auto store = own.store();
  REQUIRE(store.prepare(source));
  own.exec("BEGIN; LOCK TABLE kept");
  const auto refused = store.write(at(12), {});
  REQUIRE_FALSE(refused);
  CHECK(to_string(refused.error()) == "command_failed sqlstate=55P03");
  CHECK(disposition_of(refused.error().why) != disposition::halt);
  own.exec("COMMIT");
  CHECK(store.write(at(12), {}));
}

TEST_CASE("a server that comes back is written again", "[postgres][store]") {
  pg_cluster own;
  checkpoint_table store{own.conninfo(), "kept", "shop"};
  REQUIRE(store.prepare(source));
  own.stop();
  CHECK(why(store.write(at(12), {})) == reason::server_unavailable);
  own.start();
  REQUIRE(store.write(at(12), {}));
  own.restart(stop_mode::immediate);
  CHECK(held(store).held.durable == at(12));
}

TEST_CASE("a standby is no place for a store, and says so", "[postgres][store]") {
  pg_cluster primary;
  primary.exec("SELECT pg_create_physical_replication_slot('standby')");
  checkpoint_table writable{primary.conninfo(), "kept", "shop"};
  REQUIRE(writable.prepare(source));
  const pg_cluster standby{{.primary = &primary}};
  const auto told = refusal(checkpoint_table{standby.conninfo(), "kept", "shop"});
  CHECK(to_string(told) == "checkpoint_store_failed sqlstate=25006");
  CHECK_THAT(explain(told), Catch::Contains("standby"));
}

TEST_CASE("a checkpoint is replaced or forgotten only as it was seen", "[postgres][store]") {
  database own{"adopted"};
  auto store = own.store();
  const auto none = held(store);
  REQUIRE(store.replace(none, source, at(30)));
  REQUIRE(store.replace(none, source, at(30))); // As after an answer that was lost.
  CHECK(why(store.replace(none, source, at(31))) == reason::checkpoint_changed);
  REQUIRE(
    store.write(at(50), std::array{state_entry{"schema.1", "old"}, state_entry{"timeline", "3"}}));
  const auto seen = held(store);
  REQUIRE(store.replace(seen, source, at(60)));
  REQUIRE(store.replace(seen, source, at(60)));
  CHECK(held(store).held.durable == at(60));
  // The tables are the same; how the old position was reached proves nothing about the new one.
  CHECK(held(store).held.state == std::vector{state_entry{"schema.1", "old"}});
  CHECK(why(store.replace(seen, source, at(21))) == reason::checkpoint_changed);
  // Rows from before it may have had other shapes.
  REQUIRE(store.replace(held(store), source, at(20)));
  CHECK(held(store).held.durable == at(20));
  CHECK(held(store).held.state.empty());

  auto upgraded = source;
  upgraded.system_identifier = "42";
  REQUIRE(store.replace(held(store), upgraded, at(5)));
  CHECK(held(store).source->system_identifier == "42");
  CHECK(held(store).held.state.empty());

  CHECK(why(store.forget(seen)) == reason::checkpoint_changed);
  const auto last = held(store);
  REQUIRE(store.forget(last));
  REQUIRE(store.forget(last));
  CHECK(held(store).held.memory == sink_memory::empty);
  CHECK(why(store.replace(last, source, at(70))) == reason::checkpoint_changed);
  CHECK(own.value("SELECT count(*) FROM kept") == "0");
}

TEST_CASE("nothing that a store is given or told is in its faults", "[postgres][store][secrecy]") {
  database own{"silent"};
  const std::string canary = "Kanarienvogel";
  own.exec("CREATE TABLE \"" + canary + "\" (id int)");
  std::string faults;
  const auto add = [&](const fault& what) { faults += to_string(what) + explain(what); };
  add(refusal(own.store(canary)));
  checkpoint_table away{server().conninfo("dbname=silent user=" + canary + " password=" + canary),
                        canary, canary};
  add(refusal(std::move(away)));
  auto store = own.store("kept", canary);
  REQUIRE(store.prepare(source));
  own.exec("ALTER TABLE kept_state ADD CHECK (name <> '" + canary + "')");
  add(store.write(at(1), std::array{state_entry{canary, canary}}).error());
  own.exec("DELETE FROM kept");
  add(store.write(at(1), std::array{state_entry{canary, canary}}).error());
  CHECK_THAT(faults, Catch::Contains("23514") && !Catch::Contains(canary));
}
