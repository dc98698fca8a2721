// SPDX-License-Identifier: MIT
#include "replicant/core/delivery/start_plan.hpp"
#include "replicant/tests/postgres/stream_fixture.hpp"
#include "replicant/tests/support/environment.hpp"
#include "replicant/tests/support/pooler.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <filesystem>

using namespace replicant;
using namespace replicant::postgres;
using namespace replicant::test;

namespace {

source_facts facts_of(const std::string& conninfo) {
  postgres_source source{options_for(conninfo)};
  auto facts = source.connect();
  REQUIRE(facts);
  return *facts;
}

/// What a start says to the slot "s" that somebody holds.
fault refusal_of_held_slot(const pg_cluster& server) {
  const auto facts = facts_of(server.conninfo());
  const auto plan =
    plan_start(facts, {sink_memory::none}, false, start_conditions{.go_forward_only = true});
  REQUIRE_FALSE(plan);
  return plan.error();
}

void await_holder(const pg_cluster& server) {
  REQUIRE(wait_until([&] {
    return server.client().value("SELECT count(*) FROM pg_replication_slots WHERE active") == "1";
  }));
}

} // namespace

TEST_CASE("a server that writes too little for decoding is known before anything is made",
          "[postgres][mistakes]") {
  const pg_cluster server{{.conf = {"wal_level = replica"}}};
  server.exec("CREATE PUBLICATION p");
  const auto facts = facts_of(server.conninfo());
  CHECK(facts.wal_level == "replica");
  const auto judged = judge_source(facts, {});
  REQUIRE_FALSE(judged);
  CHECK(judged.error().why == reason::wal_level_insufficient);
}

TEST_CASE("a server without walsenders because of its wal_level is told apart from a full one",
          "[postgres][mistakes]") {
  const pg_cluster minimal{{.conf = {"wal_level = minimal", "max_wal_senders = 0"}}};
  CHECK(connect_failure(minimal.conninfo()).why == reason::wal_level_insufficient);
  const pg_cluster closed{{.conf = {"max_wal_senders = 0"}}};
  CHECK(connect_failure(closed.conninfo()).why == reason::connections_exhausted);
}

TEST_CASE("a server without a free slot says so", "[postgres][mistakes]") {
  const pg_cluster server{{.conf = {"max_replication_slots = 1"}}};
  server.exec("CREATE PUBLICATION p; SELECT pg_create_physical_replication_slot('taken')");
  postgres_source source{options_for(server.conninfo())};
  REQUIRE(source.connect());
  const auto made = source.create_slot();
  REQUIRE_FALSE(made);
  CHECK(made.error().why == reason::slots_exhausted);
  CHECK(made.error().code.text() == "53400");
}

TEST_CASE("who holds the slot is told: replicant", "[postgres][mistakes]") {
  const pg_cluster server;
  server.exec("CREATE PUBLICATION p");
  const streaming_source stream{options_for(server.conninfo())};
  const auto refused = refusal_of_held_slot(server);
  CHECK(refused.why == reason::slot_active);
  CHECK(to_string(refused) == "slot_active pid=" +
                                server.client().value("SELECT active_pid FROM pg_replication_slots "
                                                      "WHERE slot_name = 's'") +
                                " holder=replicant");
}

TEST_CASE("who holds the slot is told: pg_recvlogical", "[postgres][mistakes]") {
  const pg_cluster server;
  // Some servers come without their clients; Debian's talks to all of them.
  auto tool = pg_binaries::main().folder + "/pg_recvlogical";
  if (!std::filesystem::exists(tool))
    tool = "/usr/lib/postgresql/15/bin/pg_recvlogical";
  REQUIRE(std::filesystem::exists(tool));
  server.exec("SELECT pg_create_logical_replication_slot('s', 'pgoutput'); CREATE PUBLICATION p");
  const temp_dir folder;
  const child_process follower{{tool, "-d", server.conninfo(), "--slot=s", "--start", "-f",
                                "/dev/null", "-o", "proto_version=1", "-o", "publication_names=p"},
                               folder / "log"};
  await_holder(server);
  CHECK(to_string(refusal_of_held_slot(server)).ends_with(" holder=pg_recvlogical"));
}

TEST_CASE("who holds the slot is told: a subscription, another client", "[postgres][mistakes]") {
  const pg_cluster server;
  server.exec("SELECT pg_create_logical_replication_slot('s', 'pgoutput'); CREATE PUBLICATION p");
  SECTION("a subscription") {
    server.exec("CREATE DATABASE other");
    auto subscriber = server.client("other");
    subscriber.exec("CREATE SUBSCRIPTION s CONNECTION '" + server.conninfo() +
                    "' PUBLICATION p WITH (create_slot = false)");
    await_holder(server);
    CHECK(to_string(refusal_of_held_slot(server)).ends_with(" holder=subscription"));
    subscriber.exec("ALTER SUBSCRIPTION s DISABLE; ALTER SUBSCRIPTION s SET (slot_name = NONE); "
                    "DROP SUBSCRIPTION s");
  }
  SECTION("another client") {
    server.exec("SELECT pg_drop_replication_slot('s')");
    const streaming_source stream{options_for(
      server.conninfo("user=postgres dbname=postgres application_name=something_else"))};
    CHECK(to_string(refusal_of_held_slot(server)).ends_with(" holder=other_client"));
  }
}

TEST_CASE("a pooler in front is known by what it refuses", "[postgres][mistakes]") {
  const pg_cluster server;
  const environment clean;
  const pooler plain{server};
  const auto refused = connect_failure(plain.conninfo());
  CHECK(refused.why == reason::pooler_in_front);
  CHECK(refused.code.text() == "08P01");
}

TEST_CASE("a pooler that swallows what makes a walsender is known by its answer",
          "[postgres][mistakes]") {
  const pg_cluster server;
  const environment clean;
  const pooler swallowing{server, "ignore_startup_parameters = replication,options"};
  CHECK(connect_failure(swallowing.conninfo()).why == reason::pooler_in_front);
}
