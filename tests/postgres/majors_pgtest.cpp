// SPDX-License-Identifier: MIT
#include "replicant/tests/postgres/stream_fixture.hpp"

#include <iostream>

using namespace replicant;
using namespace replicant::postgres;
using namespace replicant::test;

TEST_CASE("the server under test is streamed from", "[postgres][majors]") {
  const pg_cluster server;
  server.exec("CREATE TABLE t (id text PRIMARY KEY); CREATE PUBLICATION \"A,b\" FOR ALL TABLES");
  server.exec("ALTER ROLE postgres SET bytea_output = 'escape'");
  const auto options = [&server] {
    auto plain = options_for(server.conninfo());
    plain.publications = {"A,b"};
    plain.messages = true;
    return plain;
  }();
  {
    streaming_source stream{options};
    server.exec("INSERT INTO t VALUES ('first')");
    const auto commit = stream.reader.read_commit();
    REQUIRE(commit);
    CHECK(stream.reader.seen("first"));
    REQUIRE(stream.source.send(status_update(lsn{commit->value() + 1})));
    stream.source.finish(std::chrono::seconds{5});
  }
  postgres_source again{options};
  const auto facts = again.connect();
  REQUIRE(facts);
  CHECK(facts->server_version / 10000 == static_cast<unsigned>(server.major()));
  // The report takes it for a proof of what all tests of this run met.
  std::cout << "SERVER: " << facts->server_version / 10000 << '\n';
  CHECK(facts->publications_exist);
  REQUIRE(facts->slot);
  CHECK(facts->slot->logical);
  CHECK(facts->slot->plugin == "pgoutput");
  CHECK(facts->slot->active_pid == 0);
  CHECK(facts->slot->wal_status == "reserved");
  CHECK_FALSE(facts->slot->conflicting);
  CHECK(facts->slot->invalidation_reason.empty());
  CHECK(again.start(*facts->slot->confirmed, false));
}

TEST_CASE("an old server is refused by its version, not by what it does not know",
          "[postgres][majors]") {
  for (const auto& binaries : pg_binaries::older()) {
    INFO("PostgreSQL " << binaries.major);
    const pg_cluster server{{.binaries = binaries, .conf = {}, .hba = {}}};
    CHECK(connect_failure(server.conninfo()).why == reason::server_unsupported);
  }
}
