// SPDX-License-Identifier: MIT
#include "replicant/tests/postgres/stream_fixture.hpp"
#include "replicant/tests/support/captured_output.hpp"

#include <iostream>

using namespace replicant;
using namespace replicant::postgres;
using namespace replicant::test;

namespace {

constexpr const char* canary = "Kanarienvogel";

} // namespace

TEST_CASE("no text of the server and no parameter reaches stderr or a fault",
          "[postgres][secrecy]") {
  const pg_cluster server;
  const auto role = std::string{"\""} + canary + "\"";
  server.exec("CREATE ROLE " + role + " LOGIN REPLICATION; CREATE TABLE " + role +
              " (id text PRIMARY KEY); CREATE PUBLICATION p FOR ALL TABLES");
  std::string faults;
  const captured_output output{STDERR_FILENO};
  {
    // The server is asked to chatter: it tells of every statement, name and plan as a notice.
    streaming_source stream{options_for(server.conninfo(
      std::string{"dbname=postgres options='-c client_min_messages=debug5' user="} + canary))};
    server.exec("INSERT INTO " + role + " VALUES ('" + canary + "')");
    REQUIRE(stream.reader.read_commit());
    CHECK(stream.reader.seen(canary));
    server.exec("DROP PUBLICATION p; INSERT INTO " + role + " VALUES ('another " + canary + "')");
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
