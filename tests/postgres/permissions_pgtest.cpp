// SPDX-License-Identifier: MIT
#include "replicant/tests/postgres/stream_fixture.hpp"
#include "replicant/tests/support/permissions.hpp"

using namespace replicant;
using namespace replicant::postgres;
using namespace replicant::test;

namespace {

/// A server that gives nobody anything by default, with a table that the role may not read.
struct stingy_server {
  stingy_server() {
    grant_permissions(server);
    server.exec("REVOKE ALL ON DATABASE shop FROM PUBLIC");
    server.client("shop").exec("REVOKE ALL ON SCHEMA public FROM PUBLIC;"
                               "CREATE TABLE t (id int PRIMARY KEY, note text);"
                               "CREATE PUBLICATION p FOR TABLE t");
  }

  [[nodiscard]] std::string conninfo() const { return server.conninfo("user=cdc dbname=shop"); }

  pg_cluster server;
};

} // namespace

TEST_CASE("the documented rights are enough to stream what the role may not even read",
          "[postgres][permissions]") {
  const stingy_server stingy;
  streaming_source stream{options_for(stingy.conninfo())};
  stingy.server.client("shop").exec("INSERT INTO t VALUES (1, 'noted')");
  REQUIRE(stream.reader.read_commit());
  CHECK(stream.reader.seen("noted"));
  CHECK_THROWS(sql_client{stingy.conninfo()}.exec("SELECT * FROM t"));
}

TEST_CASE("the role can see who holds a slot of another", "[postgres][permissions]") {
  const stingy_server stingy;
  const streaming_source stream{options_for(stingy.server.conninfo("user=postgres dbname=shop"))};
  postgres_source source{options_for(stingy.conninfo())};
  const auto facts = source.connect();
  REQUIRE(facts);
  REQUIRE(facts->slot);
  CHECK(facts->slot->holder == slot_holder::replicant);
}

TEST_CASE("each of the documented rights is needed", "[postgres][permissions]") {
  REQUIRE(permission_statements().size() == 2);
  const stingy_server stingy;
  stingy.server.exec("ALTER ROLE cdc NOREPLICATION");
  CHECK(connect_failure(stingy.conninfo()).why == reason::replication_right_missing);
  stingy.server.exec("ALTER ROLE cdc REPLICATION; REVOKE CONNECT ON DATABASE shop FROM cdc");
  CHECK(connect_failure(stingy.conninfo()).why == reason::connect_right_missing);
  stingy.server.exec("GRANT CONNECT ON DATABASE shop TO cdc; ALTER ROLE cdc NOLOGIN");
  CHECK(connect_failure(stingy.conninfo()).why == reason::authentication_failed);
}
