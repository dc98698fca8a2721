// SPDX-License-Identifier: MIT
#include "replicant/actors/postgres/table_catalog.hpp"
#include "replicant/tests/support/pg_cluster.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace replicant;
using namespace replicant::postgres;
using namespace replicant::test;

namespace {

using names = std::vector<std::string>;

names published(table_catalog& catalog, const names& publications) {
  const auto tables = catalog.published(publications);
  REQUIRE(tables);
  names found;
  for (const auto& one : *tables)
    found.push_back(one.schema + "|" + one.name);
  std::ranges::sort(found);
  return found;
}

std::uint32_t oid_of(const pg_cluster& server, const std::string& table) {
  return static_cast<std::uint32_t>(
    std::stoul(server.client().value("SELECT '" + table + "'::regclass::oid")));
}

} // namespace

TEST_CASE("a role without rights reads which tables are published and what their keys are",
          "[postgres]") {
  const pg_cluster server;
  server.exec("CREATE ROLE nobody LOGIN; CREATE SCHEMA \"My Shop\";"
              "CREATE TABLE \"My Shop\".\"Items\" (b int, note text, a int, PRIMARY KEY (a, b));"
              "CREATE TABLE covered (id int, note text, PRIMARY KEY (id) INCLUDE (note));"
              "CREATE TABLE keyless (a int UNIQUE); CREATE TABLE unpublished (a int);"
              "CREATE TABLE parts (a int PRIMARY KEY) PARTITION BY RANGE (a);"
              "CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (0) TO (9);"
              "CREATE PUBLICATION \"it's\" FOR TABLE \"My Shop\".\"Items\", keyless;"
              "CREATE PUBLICATION leaves FOR TABLE parts;"
              "CREATE PUBLICATION root FOR TABLE parts WITH (publish_via_partition_root)");
  const interrupt_flag never_raised;
  table_catalog catalog{server.conninfo("user=nobody dbname=postgres"), never_raised};
  CHECK(published(catalog, {"it's", "missing"}) == names{"My Shop|Items", "public|keyless"});
  CHECK(published(catalog, {"it's", "it's", "leaves"}) ==
        names{"My Shop|Items", "public|keyless", "public|parts_1"});
  CHECK(published(catalog, {"root"}) == names{"public|parts"});

  auto key = catalog.primary_key(oid_of(server, R"("My Shop"."Items")"));
  REQUIRE(key);
  std::ranges::sort(*key);
  CHECK(*key == names{"a", "b"});
  CHECK(catalog.primary_key(oid_of(server, "covered")) == names{"id"});
  CHECK(catalog.primary_key(oid_of(server, "keyless")) == names{});
  CHECK(catalog.primary_key(4'000'000'000) == names{});
}

TEST_CASE("a session that has ended is opened again", "[postgres]") {
  const pg_cluster server;
  const interrupt_flag never_raised;
  table_catalog catalog{server.conninfo("user=postgres dbname=postgres application_name=asking"),
                        never_raised};
  REQUIRE(catalog.primary_key(1));
  auto client = server.client();
  const std::string ours = " FROM pg_stat_activity WHERE application_name = 'asking'";
  REQUIRE(client.value("SELECT count(*)" + ours) == "1");
  client.exec("SELECT pg_terminate_backend(pid)" + ours);
  REQUIRE(wait_until([&] { return client.value("SELECT count(*)" + ours) == "0"; }));
  CHECK(catalog.primary_key(1));
}

TEST_CASE("a question without a server fails, and one that is interrupted ends", "[postgres]") {
  const interrupt_flag never_raised;
  table_catalog nowhere{"host=/nonexistent user=u dbname=d", never_raised};
  const auto away = nowhere.primary_key(1);
  REQUIRE_FALSE(away);
  CHECK(away.error().why == reason::server_unavailable);

  const pg_cluster server;
  interrupt_flag raised;
  raised.raise();
  table_catalog interrupted{server.conninfo(), raised};
  const auto ended = interrupted.primary_key(1);
  REQUIRE_FALSE(ended);
  CHECK(ended.error().why == reason::connection_lost);
}
