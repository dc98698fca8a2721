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

TEST_CASE("a publication that did not exist when a change was written ends the stream",
          "[postgres][publication]") {
  const pg_cluster server;
  server.exec("CREATE TABLE t (id int PRIMARY KEY); CREATE PUBLICATION p FOR ALL TABLES");
  auto options = options_for(server.conninfo());
  // From 18 on the server only warns, and would go on without the rows.
  const auto* const code = server.major() < 18 ? "42704" : "55000";
  const auto expect_end = [code](stream_reader& reader) {
    const auto failure = reader.read_to_the_end();
    REQUIRE(failure);
    CHECK(failure->why == reason::publication_too_new);
    CHECK(failure->code.text() == code);
  };
  SECTION("it was dropped") {
    streaming_source stream{options};
    server.exec("DROP PUBLICATION p; INSERT INTO t VALUES (1)");
    expect_end(stream.reader);
  }
  SECTION("it was dropped and made again, or is new in the list") {
    server.exec("CREATE PUBLICATION old FOR ALL TABLES; DROP PUBLICATION p");
    server.exec("SELECT pg_create_logical_replication_slot('s', 'pgoutput')");
    server.exec("INSERT INTO t VALUES (1)");
    server.exec("CREATE PUBLICATION p FOR ALL TABLES");
    // A role that wants no warnings gets this one.
    server.exec("CREATE ROLE quiet LOGIN REPLICATION");
    server.exec("ALTER ROLE quiet SET client_min_messages = 'error'");
    const auto* const user = GENERATE("postgres", "quiet");
    options.conninfo = server.conninfo(std::string{"dbname=postgres user="} + user);
    for (const auto& names : std::vector<std::vector<std::string>>{{"p"}, {"old", "p"}}) {
      options.publications = names;
      postgres_source source{options};
      REQUIRE(source.connect());
      REQUIRE(source.start(lsn{}, false));
      stream_reader reader{source};
      expect_end(reader);
    }
  }
}

TEST_CASE("a publication that has changed since is read as it was when the rows were written",
          "[postgres][publication]") {
  struct changed {
    const char* before; ///< How the publication is made.
    const char* after;
    int since = 14; ///< The first version that takes it.
  };

  const auto wherever =
    GENERATE(changed{"FOR TABLE t", "DROP PUBLICATION p; CREATE PUBLICATION p FOR TABLE t"},
             changed{"FOR TABLE t", "ALTER PUBLICATION p SET (publish = 'delete')"},
             changed{"FOR TABLE t WHERE (id = 'first')",
                     "ALTER PUBLICATION p SET TABLE t WHERE (id = '')", 15},
             changed{"FOR TABLE t", "ALTER PUBLICATION p SET TABLE other"});
  INFO(wherever.before << " / " << wherever.after);
  const pg_cluster server;
  auto client = server.client();
  client.exec("CREATE TABLE t (id text PRIMARY KEY); CREATE TABLE other (id int)");
  const auto create = "CREATE PUBLICATION p " + std::string{wherever.before};
  if (server.major() < wherever.since) {
    CHECK_THROWS(client.exec(create));
    return;
  }
  client.exec(create);
  std::optional<lsn> point;
  {
    postgres_source first{options_for(server.conninfo())};
    REQUIRE(first.connect());
    point = first.create_slot().value();
  }
  client.exec("INSERT INTO t VALUES ('first')");
  client.exec(wherever.after);

  postgres_source source{options_for(server.conninfo())};
  REQUIRE(source.connect());
  REQUIRE(source.start(*point, false));
  stream_reader reader{source};
  CHECK(reader.read_commit());
  CHECK(reader.seen("first"));
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
