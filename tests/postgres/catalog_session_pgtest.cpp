// SPDX-License-Identifier: MIT
#include "replicant/actors/postgres/catalog_session.hpp"
#include "replicant/tests/support/pg_cluster.hpp"

#include <catch2/catch.hpp>

using namespace replicant;
using namespace replicant::postgres;
using namespace replicant::test;

namespace {

const std::string who_answers = "SELECT pg_backend_pid() AS pid";

std::string answering(catalog_session& session) {
  const auto answer = session.ask(who_answers);
  REQUIRE(answer);
  return std::string{answer->text(0, "pid").value()};
}

} // namespace

TEST_CASE("a question that the server refuses is asked once and leaves the session as it is",
          "[postgres]") {
  const pg_cluster server;
  server.exec(
    "CREATE ROLE nobody LOGIN; CREATE SEQUENCE asked; CREATE FUNCTION refuse() RETURNS "
    "int LANGUAGE plpgsql SECURITY DEFINER AS $$BEGIN PERFORM nextval('public.asked'); RAISE "
    "insufficient_privilege; END$$");
  catalog_session session{server.conninfo("user=nobody dbname=postgres")};
  const auto before = answering(session);
  const auto refused = session.ask("SELECT public.refuse()");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().why == reason::permission_denied);
  CHECK(server.client().value("SELECT last_value || ' ' || is_called FROM asked") == "1 true");
  CHECK(answering(session) == before);
}

TEST_CASE("a question that finds no answer ends after some seconds, and the next has a new session",
          "[postgres]") {
  const pg_cluster server;
  catalog_session session{server.conninfo()};
  const auto before = answering(session);
  const auto begun = std::chrono::steady_clock::now();
  const auto unanswered = session.ask("SELECT pg_sleep(60)");
  CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds{9});
  REQUIRE_FALSE(unanswered);
  CHECK_FALSE(unanswered.error().code.known());
  CHECK(answering(session) != before);
}
