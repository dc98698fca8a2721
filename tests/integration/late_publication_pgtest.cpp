// SPDX-License-Identifier: MIT
#include "replicant/tests/integration/shop_rows.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <catch2/catch.hpp>

using namespace replicant::test;
using Catch::Matchers::Contains;

namespace {

/// The same pipeline on the same file, with or without the publication that is added to its list.
program_options going_on(const program& first, const pg_cluster& server, bool with_late) {
  program_options how{.conninfo = server.conninfo(), .go_forward_only = false};
  how.file = first.file();
  if (with_late)
    how.more_publications = {"late"};
  return how;
}

void expect_refusal(program& replicant) {
  const auto content = replicant.content();
  replicant.start();
  CHECK(replicant.wait() == ending{.exit_code = 1});
  CHECK_THAT(replicant.output(), Contains("HALTED: publication_too_new"));
  CHECK(rows_of(replicant.content()) == rows_of(content));
}

/// Waits until nothing that is written now lies before the slot.
bool drains(const pg_cluster& server) {
  const auto end = server.client().value("SELECT pg_current_wal_lsn()");
  return wait_until([&] {
    return server.client().holds("SELECT confirmed_flush_lsn >= '" + end +
                                 "' FROM pg_replication_slots");
  });
}

} // namespace

TEST_CASE("a publication added to a slot's list is refused until the slot has been drained past it",
          "[publication][postgres]") {
  const pg_cluster server;
  make_table(server);
  // Numbered from above, so that a row tells its table.
  server.exec("CREATE TABLE u (id bigint PRIMARY KEY)");
  program first{{.conninfo = server.conninfo()}};
  first.start();
  REQUIRE(streams(first));
  write_rows(server, 1);
  REQUIRE(holds(first, 1));
  REQUIRE(first.stop() == ending{.exit_code = 0});
  write_rows(server, 1);
  server.exec("CREATE PUBLICATION late FOR TABLE u; INSERT INTO u VALUES (101)");
  write_rows(server, 1);

  program with{going_on(first, server, true)};
  expect_refusal(with);
  expect_refusal(with); // However often.

  program without{going_on(first, server, false)};
  without.start();
  REQUIRE(holds(without, 3));
  REQUIRE(drains(server));
  REQUIRE(without.stop() == ending{.exit_code = 0});

  with.start();
  REQUIRE(streams(with));
  server.exec("INSERT INTO u VALUES (102)");
  write_rows(server, 1);
  CHECK(holds(with, 5));
  CHECK(with.stop() == ending{.exit_code = 0});
  CHECK(rows_of(with.content()) == std::vector<std::string>{"1", "2", "3", "102", "4"});
}
