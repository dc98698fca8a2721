// SPDX-License-Identifier: MIT
#include "replicant/tests/postgres/stream_fixture.hpp"
#include "replicant/tests/support/captured_output.hpp"

#include <libpq-fe.h>

#include <iostream>
#include <memory>

using namespace replicant;
using namespace replicant::postgres;
using namespace replicant::test;

namespace {

constexpr const char* canary = "Kanarienvogel";

/// libpq as it is, without what `connection` does to it.
struct bare_session {
  explicit bare_session(const std::string& conninfo)
    : handle{PQconnectdb(conninfo.c_str()), &PQfinish} {}

  /// @returns its last error.
  std::string run(const std::string& sql) const {
    PQclear(PQexec(handle.get(), sql.c_str()));
    return PQerrorMessage(handle.get());
  }

  std::unique_ptr<PGconn, decltype(&PQfinish)> handle;
};

/// Statements whose warning or error holds the canary. Less than a warning is not sent to us.
const std::string warning = std::string{"DO $$ BEGIN RAISE WARNING '"} + canary + "'; END $$";
const std::string failing = std::string{"SELECT '"} + canary + "'::int";

connection session_with(const pg_cluster& server) {
  const auto where = conninfo::parse(server.conninfo());
  REQUIRE(where);
  auto session = connection::open(where->candidates(session_kind::ordinary)[0], nullptr,
                                  in(std::chrono::seconds{10}));
  REQUIRE(session);
  return std::move(*session);
}

} // namespace

TEST_CASE("a warning is dropped that libpq alone would print", "[postgres][secrecy]") {
  const pg_cluster server;
  const captured_output output{STDERR_FILENO};
  CHECK(session_with(server).query(warning));
  CHECK(output.text().empty());
  bare_session{server.conninfo()}.run(warning);
  CHECK_THAT(output.text(), Catch::Contains(canary));
}

TEST_CASE("an error is told by its SQLSTATE alone, where libpq has its text",
          "[postgres][secrecy]") {
  const pg_cluster server;
  const auto refused = session_with(server).query(failing);
  REQUIRE_FALSE(refused);
  CHECK(to_string(refused.error()) == "command_failed sqlstate=22P02");
  CHECK_THAT(explain(refused.error()), !Catch::Contains(canary));
  CHECK_THAT(bare_session{server.conninfo()}.run(failing), Catch::Contains(canary));
}

TEST_CASE("what libpq says of a connection string stays behind", "[postgres][secrecy]") {
  const std::string planted{canary};
  for (const auto& text :
       {"host=h sslmode=" + planted, "host=h port=" + planted, "host=h " + planted,
        "postgresql://u:" + planted + "%zz@h/d", "host=h " + planted + "=1"}) {
    INFO(text);
    const auto parsed = conninfo::parse(text);
    REQUIRE_FALSE(parsed);
    CHECK(to_string(parsed.error()) == "command_failed");
    CHECK_THAT(PQerrorMessage(bare_session{text}.handle.get()), Catch::Contains(canary));
  }
}

TEST_CASE("no text of the server and no parameter reaches stderr or a fault",
          "[postgres][secrecy]") {
  const pg_cluster server;
  const auto role = std::string{"\""} + canary + "\"";
  server.exec("CREATE ROLE " + role + " LOGIN REPLICATION; CREATE TABLE " + role +
              " (id text PRIMARY KEY); CREATE PUBLICATION " + role + " FOR ALL TABLES");
  std::string faults;
  const captured_output output{STDERR_FILENO};
  {
    // A server that is asked to chatter tells of every statement, name and plan as a notice.
    auto options = options_for(server.conninfo(
      std::string{"dbname=postgres options='-c client_min_messages=debug5' user="} + canary));
    options.publications = {canary};
    streaming_source stream{options};
    server.exec("INSERT INTO " + role + " VALUES ('" + canary + "')");
    REQUIRE(stream.reader.read_commit());
    CHECK(stream.reader.seen(canary));
    // Which the server names, in an error or (from 18 on) a warning.
    server.exec("DROP PUBLICATION " + role + "; INSERT INTO " + role + " VALUES ('another " +
                canary + "')");
    const auto ended = stream.reader.read_to_the_end();
    REQUIRE(ended);
    faults += to_string(*ended);
  }
  for (const auto* rest : {"user=Kanarienvogel dbname=Kanarienvogel", "user=NoKanarienvogel",
                           "user=postgres password=Kanarienvogel sslmode=require",
                           "user=postgres options='-c Kanarienvogel=1'",
                           "user=postgres Kanarienvogel=1", "sslmode=Kanarienvogel"})
    faults += to_string(connect_failure(server.tcp_conninfo(rest)));
  CHECK(output.text().empty());
  CHECK(faults.find(canary) == std::string::npos);
  // The capture would have seen it.
  std::cerr << canary << std::flush;
  CHECK(output.text() == canary);
}
