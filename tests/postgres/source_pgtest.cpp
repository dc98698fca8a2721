// SPDX-License-Identifier: MIT
#include "replicant/actors/postgres/replication_source.hpp"
#include "replicant/tests/postgres/stream_reader.hpp"
#include "replicant/tests/support/pg_cluster.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <catch2/catch.hpp>

using namespace replicant;
using namespace replicant::postgres;
using namespace replicant::test;

TEST_CASE("a slot is made, streamed from, acknowledged and released", "[postgres][source]") {
  const pg_cluster server;
  server.exec("CREATE TABLE t (id int PRIMARY KEY); CREATE PUBLICATION p FOR ALL TABLES");
  postgres_source source{{.conninfo = server.conninfo(), .slot_name = "s", .publications = {"p"}}};

  const auto facts = source.connect();
  REQUIRE(facts);
  CHECK(facts->identity.system_identifier ==
        server.client().value("SELECT system_identifier FROM pg_control_system()"));
  CHECK(facts->identity.timeline == 1);
  CHECK(facts->identity.database == "postgres");
  CHECK(facts->identity.slot_name == "s");
  CHECK(facts->server_version / 10000 == static_cast<unsigned>(server.major()));
  CHECK(facts->wal_sender_timeout == std::chrono::seconds{60});
  CHECK(facts->publications_exist);
  CHECK_FALSE(facts->slot);

  const auto point = source.create_slot();
  REQUIRE(point);
  REQUIRE(source.start(*point));
  server.exec("INSERT INTO t VALUES (7)");
  stream_reader reader{source};
  const auto commit = reader.read_commit();
  REQUIRE(commit);
  CHECK(reader.seen("7"));

  REQUIRE(source.send(status_update(lsn{commit->value() + 1})));
  source.finish(std::chrono::seconds{5});
  // No waiting here: the slot is free and moved as soon as `finish` returns.
  auto client = server.client();
  CHECK(client.holds("SELECT active_pid IS NULL FROM pg_replication_slots"));
  CHECK(client.value("SELECT confirmed_flush_lsn FROM pg_replication_slots") ==
        to_string(lsn{commit->value() + 1}));
}
