// SPDX-License-Identifier: MIT
#include "replicant/tests/postgres/stream_fixture.hpp"
#include "replicant/tests/support/wait_until.hpp"

using namespace replicant;
using namespace replicant::postgres;
using namespace replicant::test;

namespace {

slot_facts slot_seen(const pg_cluster& server, const std::string& name) {
  auto options = options_for(server.conninfo());
  options.slot_name = name;
  postgres_source source{options};
  const auto facts = source.connect();
  REQUIRE(facts);
  REQUIRE(facts->slot);
  return *facts->slot;
}

} // namespace

TEST_CASE("the kind, plugin, database and positions of a slot are told", "[postgres][slot]") {
  const pg_cluster server;
  server.exec("SELECT pg_create_physical_replication_slot('physical')");
  server.exec("SELECT pg_create_logical_replication_slot('decoding', 'test_decoding')");
  server.exec("CREATE DATABASE other");
  server.client("other").exec("SELECT pg_create_logical_replication_slot('elsewhere', 'pgoutput')");
  auto client = server.client();

  const auto physical = slot_seen(server, "physical");
  CHECK_FALSE(physical.logical);
  CHECK_FALSE(physical.restart);
  CHECK_FALSE(physical.confirmed);

  const auto decoding = slot_seen(server, "decoding");
  CHECK(decoding.logical);
  CHECK(decoding.plugin == "test_decoding");
  CHECK(decoding.database == "postgres");
  CHECK(decoding.active_pid == 0);
  CHECK(decoding.wal_status == "reserved");
  CHECK_FALSE(decoding.conflicting);
  CHECK(decoding.invalidation_reason.empty());
  const auto column = [&client](const std::string& name) {
    return client.value("SELECT " + name +
                        " FROM pg_replication_slots WHERE slot_name = 'decoding'");
  };
  REQUIRE(decoding.restart);
  REQUIRE(decoding.confirmed);
  CHECK(to_string(*decoding.restart) == column("restart_lsn"));
  CHECK(to_string(*decoding.confirmed) == column("confirmed_flush_lsn"));

  CHECK(slot_seen(server, "elsewhere").database == "other");
}

TEST_CASE("a slot that somebody else streams from is active", "[postgres][slot]") {
  const pg_cluster server;
  server.exec("CREATE PUBLICATION p FOR ALL TABLES");
  const streaming_source holder{options_for(server.conninfo())};
  postgres_source second{options_for(server.conninfo())};
  const auto facts = second.connect();
  REQUIRE(facts);
  REQUIRE(facts->slot);
  CHECK(facts->slot->active_pid ==
        std::stoul(server.client().value("SELECT active_pid FROM pg_replication_slots")));
  const auto started = second.start(*facts->slot->confirmed, false);
  REQUIRE_FALSE(started);
  CHECK(started.error().why == reason::slot_active);
  CHECK(started.error().code.text() == "55006");
}

TEST_CASE("a slot whose WAL is gone is told as lost", "[postgres][slot]") {
  const pg_cluster server{
    {.conf = {"max_slot_wal_keep_size = 1MB", "min_wal_size = 32MB", "max_wal_size = 32MB"},
     .hba = {}}};
  server.exec("SELECT pg_create_logical_replication_slot('s', 'pgoutput')");
  const auto lost = wait_until([&server] {
    auto client = server.client();
    client.exec("SELECT pg_logical_emit_message(false, 'fill', repeat('x', 9000000))");
    client.exec("SELECT pg_switch_wal()");
    client.exec("CHECKPOINT");
    return client.value("SELECT wal_status FROM pg_replication_slots") == "lost";
  });
  REQUIRE(lost);
  const auto slot = slot_seen(server, "s");
  CHECK(slot.wal_status == "lost");
  CHECK_FALSE(slot.restart);
}

TEST_CASE("a slot that exists or a server without room refuses a new one by SQLSTATE",
          "[postgres][slot]") {
  const pg_cluster server{{.conf = {"max_replication_slots = 1"}, .hba = {}}};
  const auto refusal = [&server](const std::string& name) {
    auto options = options_for(server.conninfo());
    options.slot_name = name;
    postgres_source source{options};
    REQUIRE(source.connect());
    const auto made = source.create_slot();
    REQUIRE_FALSE(made);
    return made.error();
  };
  server.exec("SELECT pg_create_logical_replication_slot('s', 'pgoutput')");
  CHECK(refusal("s").why == reason::command_failed);
  CHECK(refusal("s").code.text() == "42710");
  CHECK(refusal("another").code.text() == "53400");
}

TEST_CASE("a stream starts where it is asked to", "[postgres][slot]") {
  const pg_cluster server;
  server.exec("CREATE TABLE t (id int PRIMARY KEY); CREATE PUBLICATION p FOR ALL TABLES");
  std::optional<lsn> first;
  {
    streaming_source stream{options_for(server.conninfo())};
    server.exec("INSERT INTO t VALUES (111)");
    first = stream.reader.read_commit();
    REQUIRE(first);
    stream.source.finish(std::chrono::seconds{5});
  }
  server.exec("INSERT INTO t VALUES (222)");
  postgres_source source{options_for(server.conninfo())};
  REQUIRE(source.connect());
  REQUIRE(source.start(lsn{first->value() + 1}, false));
  stream_reader reader{source};
  REQUIRE(reader.read_commit());
  CHECK(reader.seen("222"));
  CHECK_FALSE(reader.seen("111"));
}

TEST_CASE("a temporary slot is gone with the session that made it", "[postgres][slot]") {
  const pg_cluster server;
  server.exec("CREATE PUBLICATION p FOR ALL TABLES");
  auto client = server.client();
  const std::string count = "SELECT count(*) FROM pg_replication_slots WHERE temporary";
  auto options = options_for(server.conninfo());
  options.slot = slot_lifetime::temporary;
  {
    const streaming_source watching{options};
    CHECK(client.value(count) == "1");
  }
  CHECK(
    wait_until([&] { return client.value("SELECT count(*) FROM pg_replication_slots") == "0"; }));
}
