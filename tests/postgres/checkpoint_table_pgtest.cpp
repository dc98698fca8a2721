// SPDX-License-Identifier: MIT
#include "replicant/tests/postgres/checkpoint_store_fixture.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

using namespace replicant;
using namespace replicant::postgres;
using namespace replicant::postgres::store_test;
using namespace replicant::test;

TEST_CASE("reading a checkpoint makes nothing, preparing it makes a row without a position",
          "[postgres][store]") {
  database own{"made"};
  auto store = own.store();
  CHECK(held(store).held.memory == sink_memory::empty);
  CHECK_FALSE(held(store).source);
  CHECK(own.value("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == "0");

  REQUIRE(store.prepare(source));
  const auto prepared = held(store);
  CHECK(prepared.held.memory == sink_memory::prepared);
  CHECK(prepared.held.durable == watermark{});
  REQUIRE(prepared.source);
  CHECK(prepared.source->system_identifier == source.system_identifier);
  CHECK(prepared.source->database == "shop");
  CHECK(prepared.source->slot_name == "shop");
  CHECK(own.value("SELECT string_agg(tablename, ' ' ORDER BY tablename) FROM pg_tables WHERE "
                  "schemaname = 'public'") == "kept kept_state");

  REQUIRE(store.write(at(500), {}));
  REQUIRE(store.prepare(source));
  CHECK(held(store).held.durable == at(500));
  CHECK(held(store).held.memory == sink_memory::position);
  const auto told = store.look();
  REQUIRE(told);
  CHECK(told->updated_at == own.value("SELECT to_char(updated_at AT TIME ZONE 'UTC', "
                                      "'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"') FROM kept"));
}

TEST_CASE("many who prepare the same store at once all succeed", "[postgres][store]") {
  database own{"at_once"};
  constexpr std::size_t many = 8;
  std::array<std::optional<result<void>>, many> outcomes;
  {
    std::vector<std::jthread> all;
    for (std::size_t i = 0; i < many; ++i)
      all.emplace_back([&, i] {
        auto own_source = source;
        own_source.slot_name = "slot" + std::to_string(i / 2);
        outcomes.at(i) = own.store("kept", own_source.slot_name).prepare(own_source);
      });
  }
  for (const auto& one : outcomes)
    CHECK(one.value().has_value());
  CHECK(own.value("SELECT count(*) FROM kept") == "4");
}

TEST_CASE("state is stored, replaced and removed with the position", "[postgres][store]") {
  database own{"beside"};
  auto store = own.store();
  REQUIRE(store.prepare(source));
  const std::string bytes{"\0'\\\xff\n", 5};
  REQUIRE(
    store.write(at(10), std::array{state_entry{"schema.1", bytes}, state_entry{"schema.2", "old"},
                                   state_entry{"schema.2", "new"}}));
  CHECK(content_of(held(store), "schema.1") == bytes);
  CHECK(content_of(held(store), "schema.2") == "new");
  REQUIRE(
    store.write(at(20), std::array{state_entry{"schema.1", {}}, state_entry{"schema.2", "newer"}}));
  CHECK(held(store).held.state == std::vector{state_entry{"schema.2", "newer"}});

  // A row that somebody has removed takes nothing old along when it is made anew.
  own.exec("DELETE FROM kept");
  CHECK(held(store).held.memory == sink_memory::empty);
  REQUIRE(store.prepare(source));
  CHECK(held(store).held.state.empty());
}

TEST_CASE("slots share a store and do not see each other", "[postgres][store]") {
  database own{"shared"};
  auto one = own.store("kept", "one");
  auto two = own.store("kept", "two");
  REQUIRE(one.prepare(source));
  REQUIRE(two.prepare(source));
  REQUIRE(one.write(at(5), std::array{state_entry{"schema.1", "one"}}));
  CHECK(held(two).held.memory == sink_memory::prepared);
  CHECK(held(two).held.state.empty());
  REQUIRE(two.write(at(9), std::array{state_entry{"schema.1", {}}}));
  CHECK(content_of(held(one), "schema.1") == "one");
}

TEST_CASE("a position never goes back, and what would go with it is not stored",
          "[postgres][store]") {
  database own{"ascending"};
  auto store = own.store();
  REQUIRE(store.prepare(source));
  const std::array entry{state_entry{"schema.1", "kept"}};
  REQUIRE(store.write(at(100), entry));
  REQUIRE(store.write(at(100), entry)); // As after an answer that was lost.
  const std::array other{state_entry{"schema.1", "lost"}, state_entry{"schema.2", "lost"}};
  CHECK(why(store.write(at(99), other)) == reason::checkpoint_changed);
  own.exec("UPDATE kept SET commit_lsn = 4000");
  CHECK(why(store.write(at(200), other)) == reason::checkpoint_changed);
  CHECK(held(store).held.durable == at(4000));
  CHECK(held(store).held.state == std::vector{entry[0]});
  own.exec("DELETE FROM kept");
  CHECK(why(store.write(at(5000), other)) == reason::checkpoint_changed);
  CHECK(own.value("SELECT count(*) FROM kept_state") == "1");
  own.exec("DROP TABLE kept");
  CHECK(why(store.write(at(5000), other)) == reason::checkpoint_changed);
}

TEST_CASE("a row of another source is not taken over", "[postgres][store]") {
  database own{"foreign"};
  auto store = own.store();
  REQUIRE(store.prepare(source));
  auto other = source;
  other.system_identifier = "1";
  CHECK(why(store.prepare(other)) == reason::session_identity_rejected);
  CHECK(held(store).source->system_identifier == source.system_identifier);
}

TEST_CASE("a table of another shape is refused and left alone", "[postgres][store]") {
  const std::string columns = "slot_name text PRIMARY KEY, commit_lsn bigint NOT NULL, "
                              "system_identifier text NOT NULL, database text NOT NULL, "
                              "updated_at timestamptz NOT NULL DEFAULT now()";
  const std::string state =
    "CREATE TABLE kept_state (slot_name text, name text, content bytea NOT NULL, "
    "PRIMARY KEY (slot_name, name));";
  const auto with = [&](const std::string& from, const std::string& to) {
    auto changed = columns;
    return "CREATE TABLE kept (" + changed.replace(changed.find(from), from.size(), to) + ");";
  };
  const auto right = "CREATE TABLE kept (" + columns + ");";
  database own{"shapes"};
  const std::vector<std::string> wrong{
    with("commit_lsn bigint", "commit_lsn numeric") + state,
    with("commit_lsn bigint", "position bigint") + state,
    with("system_identifier text NOT NULL, ", "") + state,
    with("updated_at timestamptz", "updated_at timestamp") + state,
    with("slot_name text PRIMARY KEY", "slot_name text") + state,
    with("slot_name text PRIMARY KEY", "slot_name text, demanded int NOT NULL, PRIMARY KEY "
                                       "(slot_name)") +
      state,
    with("slot_name text PRIMARY KEY", "slot_name text, UNIQUE (slot_name, database)") + state,
    "CREATE UNLOGGED TABLE kept (" + columns + ");" + state,
    "CREATE VIEW kept AS SELECT 1 AS slot_name;" + state,
    "CREATE SEQUENCE kept;" + state,
    right,
    state,
    right + "CREATE TABLE kept_state (slot_name text, name text PRIMARY KEY, content bytea);",
    right + "CREATE TABLE kept_state (slot_name text, name text, content text, PRIMARY KEY "
            "(slot_name, name));",
  };
  for (const auto& one : wrong) {
    INFO(one);
    own.exec("DROP SCHEMA public CASCADE; CREATE SCHEMA public;" + one);
    CHECK(refusal(own.store()).why == reason::checkpoint_store_mismatch);
    CHECK(why(own.store().prepare(source)) == reason::checkpoint_store_mismatch);
  }
  own.exec("DROP SCHEMA public CASCADE; CREATE SCHEMA public;" + right + state +
           "ALTER TABLE kept ADD owner text NOT NULL DEFAULT 'me', ADD id int GENERATED ALWAYS AS "
           "IDENTITY, ADD note text; ALTER TABLE kept_state ADD note text");
  auto store = own.store();
  REQUIRE(store.prepare(source));
  REQUIRE(store.write(at(7), std::array{state_entry{"schema.1", "x"}}));
  own.exec("UPDATE kept SET commit_lsn = -7");
  CHECK(refusal(own.store()).why == reason::checkpoint_store_mismatch);
}

TEST_CASE("a type of the table's name is a mismatch", "[postgres][store]") {
  database own{"typed"};
  own.exec("CREATE TYPE kept AS ENUM ('a')");
  CHECK(why(own.store().prepare(source)) == reason::checkpoint_store_mismatch);
}

TEST_CASE("a namesake in another schema is not looked at, and any name is taken",
          "[postgres][store]") {
  database own{"names"};
  own.exec("CREATE SCHEMA other; CREATE TABLE other.kept (id int); "
           "CREATE TABLE pg_temp.kept (id int); CREATE SCHEMA \"A \"\"b'\"");
  for (const std::string table : {"kept", "other.Kept", "A \"b'.it's \\ \"so\""}) {
    INFO(table);
    auto store = own.store(table, "o'slot");
    REQUIRE(store.prepare(source));
    REQUIRE(store.write(at(3), std::array{state_entry{"it's", "\\"}}));
    CHECK(held(store).held.durable == at(3));
    CHECK(content_of(held(store), "it's") == "\\");
  }
  CHECK(own.value("SELECT count(*) FROM \"A \"\"b'\".\"it's \\ \"\"so\"\"_state\"") == "1");
  CHECK(own.value("SELECT count(*) FROM other.kept") == "0");
  CHECK(refusal(own.store("other.kept")).why == reason::checkpoint_store_mismatch);
}

TEST_CASE("settings of the role change nothing about what is stored", "[postgres][store]") {
  database own{"hostile"};
  own.exec("CREATE ROLE hostile LOGIN SUPERUSER; ALTER ROLE hostile SET synchronous_commit = off;"
           "ALTER ROLE hostile SET default_transaction_read_only = on;"
           "ALTER ROLE hostile SET default_transaction_isolation = serializable;"
           "ALTER ROLE hostile SET statement_timeout = '1ms';"
           "ALTER ROLE hostile SET search_path = 'nowhere';"
           "ALTER ROLE hostile SET bytea_output = escape;"
           "ALTER ROLE hostile SET TimeZone = 'Asia/Kolkata';"
           "ALTER ROLE hostile SET standard_conforming_strings = off");
  own.exec("CREATE TABLE settings (name text, value text)");
  checkpoint_table store{server().conninfo("user=hostile dbname=hostile"), "kept", "shop"};
  REQUIRE(store.prepare(source));
  own.exec(
    "CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN INSERT INTO "
    "public.settings SELECT name, setting FROM pg_settings WHERE name IN ('synchronous_commit', "
    "'statement_timeout', 'lock_timeout', 'transaction_isolation', 'row_security'); RETURN "
    "new; END$$; CREATE TRIGGER t BEFORE UPDATE ON kept FOR EACH ROW EXECUTE FUNCTION note()");
  REQUIRE(store.write(at(8), std::array{state_entry{"a", "\\x41"}}));
  CHECK(content_of(held(store), "a") == "\\x41");
  CHECK(own.value("SELECT string_agg(name || '=' || value, ' ' ORDER BY name) FROM settings") ==
        "lock_timeout=10000 row_security=off statement_timeout=30000 synchronous_commit=on "
        "transaction_isolation=read committed");
}

TEST_CASE("a write whose session is ended is done in another one, once", "[postgres][store]") {
  database own{"ended"};
  auto store = own.store();
  REQUIRE(store.prepare(source));
  const auto end_others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = "
                          "'ended' AND pid <> pg_backend_pid()";
  own.exec(end_others);
  REQUIRE(store.write(at(11), std::array{state_entry{"a", "1"}}));
  CHECK(held(store).held.durable == at(11));

  // The second time it is ended in the middle, behind a lock of ours.
  own.exec("BEGIN; LOCK TABLE kept");
  std::optional<result<void>> outcome;
  {
    const std::jthread writing{[&] {
      outcome = store.write(at(12), std::array{state_entry{"a", "2"}});
    }};
    auto other = server().client();
    const auto waits = "SELECT count(*) = 1 FROM pg_stat_activity WHERE datname = 'ended' AND "
                       "wait_event_type = 'Lock'";
    CHECK(wait_until([&] { return other.holds(waits); }));
    other.exec("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'ended' "
               "AND wait_event_type = 'Lock'");
    own.exec("COMMIT");
  }
  CHECK(outcome.value().has_value());
  CHECK(held(store).held.durable == at(12));
  CHECK(content_of(held(store), "a") == "2");
}

TEST_CASE("a wait for a lock ends when the flag is raised", "[postgres][store]") {
  database own{"flagged"};
  const auto stop = std::make_shared<interrupt_flag>();
  checkpoint_table store{server().conninfo(own.conninfo), "kept", "shop", stop};
  REQUIRE(store.prepare(source));
  own.exec("BEGIN; LOCK TABLE kept");
  std::optional<result<void>> outcome;
  {
    const std::jthread writing{[&] { outcome = store.write(at(12), {}); }};
    auto other = server().client();
    CHECK(wait_until([&] {
      return other.holds("SELECT count(*) = 1 FROM pg_stat_activity WHERE datname = 'flagged' AND "
                         "wait_event_type = 'Lock'");
    }));
    stop->raise();
  }
  CHECK(why(*outcome) == reason::connection_lost);
}
