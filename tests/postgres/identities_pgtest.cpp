// SPDX-License-Identifier: MIT
#include "replicant/tests/postgres/stream_fixture.hpp"

using namespace replicant;
using namespace replicant::postgres;
using namespace replicant::test;

namespace {

tables_without_identity unidentified(const pg_cluster& server,
                                     const std::vector<std::string>& publications = {"p"}) {
  auto options = options_for(server.conninfo());
  options.publications = publications;
  postgres_source source{options};
  const auto facts = source.connect();
  REQUIRE(facts);
  return facts->unidentified;
}

/// Whether the server itself takes an UPDATE of the table.
bool updates(const pg_cluster& server, const std::string& table) {
  try {
    server.exec("UPDATE " + table + " SET id = id");
    return true;
  } catch (const std::runtime_error&) {
    return false;
  }
}

} // namespace

TEST_CASE("the tables that the server will not update are those that are named",
          "[postgres][identity]") {
  const pg_cluster server;
  server.exec(R"(
    CREATE TABLE with_key (id int PRIMARY KEY);
    CREATE TABLE without_key (id int);
    CREATE TABLE "Odd ""name""" (id int);
    CREATE TABLE full_rows (id int);
    ALTER TABLE full_rows REPLICA IDENTITY FULL;
    CREATE TABLE told_nothing (id int PRIMARY KEY);
    ALTER TABLE told_nothing REPLICA IDENTITY NOTHING;
    CREATE TABLE by_index (id int NOT NULL);
    CREATE UNIQUE INDEX by_index_id ON by_index (id);
    ALTER TABLE by_index REPLICA IDENTITY USING INDEX by_index_id;
    CREATE TABLE index_dropped (id int NOT NULL);
    CREATE UNIQUE INDEX index_dropped_id ON index_dropped (id);
    ALTER TABLE index_dropped REPLICA IDENTITY USING INDEX index_dropped_id;
    DROP INDEX index_dropped_id;
    CREATE TABLE checked_late (id int PRIMARY KEY DEFERRABLE);
    CREATE TABLE parted (id int) PARTITION BY RANGE (id);
    CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (0) TO (10);
    CREATE UNLOGGED TABLE unlogged (id int);
    CREATE PUBLICATION p FOR ALL TABLES;
  )");
  const auto found = unidentified(server);
  CHECK(found.first == std::vector<std::string>{R"(public."Odd ""name""")", "public.checked_late",
                                                "public.index_dropped", "public.parted_1",
                                                "public.told_nothing", "public.without_key"});
  CHECK(found.count == found.first.size());
  for (const auto* table : {"with_key", "full_rows", "by_index", "unlogged"})
    CHECK(updates(server, table));
  for (const auto& table : found.first) {
    INFO(table);
    CHECK_FALSE(updates(server, table));
    server.exec("ALTER TABLE " + table + " REPLICA IDENTITY FULL");
    CHECK(updates(server, table));
  }
  CHECK(unidentified(server).count == 0);
}

TEST_CASE("only what the publications publish with updates or deletes needs an identity",
          "[postgres][identity]") {
  const pg_cluster server;
  server.exec(R"(
    CREATE TABLE a (id int);
    CREATE TABLE b (id int);
    CREATE TABLE parted (id int) PARTITION BY RANGE (id);
    CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (0) TO (10);
    CREATE PUBLICATION inserts FOR TABLE a WITH (publish = 'insert, truncate');
    CREATE PUBLICATION deletes FOR TABLE b WITH (publish = 'delete');
    CREATE PUBLICATION by_root FOR TABLE parted WITH (publish_via_partition_root);
  )");
  CHECK(unidentified(server, {"inserts"}).count == 0);
  CHECK(unidentified(server, {"deletes"}).first == std::vector<std::string>{"public.b"});
  CHECK(unidentified(server, {"inserts", "deletes"}).count == 1);
  CHECK(unidentified(server, {"by_root"}).first == std::vector<std::string>{"public.parted_1"});
}

TEST_CASE("a table that somebody has locked keeps no stream from starting",
          "[postgres][identity]") {
  const pg_cluster server;
  server.exec(R"(
    CREATE TABLE parted (id int) PARTITION BY RANGE (id);
    CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (0) TO (10);
    CREATE PUBLICATION p FOR TABLE parted WITH (publish_via_partition_root);
  )");
  postgres_source source{options_for(server.conninfo())};
  auto other = server.client();
  other.exec("BEGIN; LOCK TABLE parted");
  const auto facts = source.connect();
  REQUIRE(facts);
  CHECK(facts->unidentified.count == 0);
  other.exec("COMMIT");
  const auto point = source.create_slot();
  REQUIRE(point);
  REQUIRE(source.start(*point, false));
  other.exec("INSERT INTO parted VALUES (1)");
  CHECK(stream_reader{source}.read_commit());
  CHECK(unidentified(server).count == 1);
}

TEST_CASE("of many tables without identity ten are named and all are counted",
          "[postgres][identity]") {
  const pg_cluster server;
  auto client = server.client();
  for (int i = 10; i < 24; ++i)
    client.exec("CREATE TABLE t" + std::to_string(i) + " (id int)");
  client.exec("CREATE PUBLICATION p FOR ALL TABLES; CREATE PUBLICATION q FOR ALL TABLES");
  const auto found = unidentified(server, {"p", "q"});
  CHECK(found.first.size() == 10);
  CHECK(found.first.front() == "public.t10");
  CHECK(found.count == 14);
}
