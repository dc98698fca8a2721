// SPDX-License-Identifier: MIT
#include "replicant/core/protocol/sql_quoting.hpp"
#include "replicant/tests/postgres/stream_fixture.hpp"

using namespace replicant;
using namespace replicant::postgres;
using namespace replicant::test;

TEST_CASE("a publication of any name is found and streamed", "[postgres][publication]") {
  const pg_cluster server;
  const std::vector<std::string> names{"Shop,Pub", R"(a"b)",     "it's",       "übung",
                                       "UPPER",    R"(back\sl)", " two words "};
  auto options = options_for(server.conninfo());
  options.publications = names;
  auto client = server.client();
  for (std::size_t index = 0; index < names.size(); ++index) {
    const auto table = "t" + std::to_string(index);
    client.exec("CREATE TABLE " + table + " (id text PRIMARY KEY)");
    client.exec("CREATE PUBLICATION " + quote_identifier(names[index]) + " FOR TABLE " + table);
  }
  streaming_source stream{options};
  for (std::size_t index = 0; index < names.size(); ++index) {
    const auto row = "row_of_" + std::to_string(index);
    client.exec("INSERT INTO t" + std::to_string(index) + " VALUES ('" + row + "')");
    REQUIRE(stream.reader.read_commit());
    CHECK(stream.reader.seen(row));
  }
}

TEST_CASE("publications exist only if all of them do", "[postgres][publication]") {
  const pg_cluster server;
  server.exec("CREATE PUBLICATION p; CREATE PUBLICATION \"P\"; CREATE PUBLICATION q");
  const auto exist = [&server](std::vector<std::string> names) {
    auto options = options_for(server.conninfo());
    options.publications = std::move(names);
    postgres_source source{options};
    const auto facts = source.connect();
    REQUIRE(facts);
    return facts->publications_exist;
  };
  CHECK(exist({"p"}));
  CHECK(exist({"p", "q", "P"}));
  CHECK(exist({"p", "p"}));
  CHECK_FALSE(exist({"p", "missing"}));
  CHECK_FALSE(exist({"Q"}));
  CHECK_FALSE(exist({"p' OR true --"}));
}

TEST_CASE("a publication that disappears ends the stream with its SQLSTATE",
          "[postgres][publication]") {
  const pg_cluster server;
  server.exec("CREATE TABLE t (id int PRIMARY KEY); CREATE PUBLICATION p FOR ALL TABLES");
  streaming_source stream{options_for(server.conninfo())};
  server.exec("DROP PUBLICATION p; INSERT INTO t VALUES (1)");
  const auto failure = stream.reader.read_to_the_end();
  REQUIRE(failure);
  CHECK(failure->why == reason::command_failed);
  CHECK(failure->code.text() == "42704");
}

TEST_CASE("logical messages come only when they are asked for", "[postgres][publication]") {
  const pg_cluster server;
  server.exec("CREATE TABLE t (id int PRIMARY KEY); CREATE PUBLICATION p FOR ALL TABLES");
  const auto write = [&server](int id) {
    server.exec("SELECT pg_logical_emit_message(true, 'mail', 'the_message'); INSERT INTO t "
                "VALUES (" +
                std::to_string(id) + ")");
  };
  auto options = options_for(server.conninfo());
  {
    streaming_source without{options};
    write(1);
    REQUIRE(without.reader.read_commit());
    CHECK_FALSE(without.reader.seen("the_message"));
  }
  options.messages = true;
  options.slot_name = "with_messages";
  streaming_source with{options};
  write(2);
  REQUIRE(with.reader.read_commit());
  CHECK(with.reader.seen("the_message"));
}
