// SPDX-License-Identifier: MIT
#include "replicant/actors/postgres/replication_source.hpp"
#include "replicant/tests/integration/shop_rows.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <catch2/catch.hpp>

#include <csignal>
#include <optional>

using namespace replicant;
using namespace replicant::test;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;

namespace {

/// A primary and a standby that knows nothing of its logical slots.
struct pair {
  pair() {
    primary.exec("SELECT pg_create_physical_replication_slot('standby', true)");
    make_table(primary);
    standby.emplace(cluster_options{.primary = &primary});
  }

  /// Waits until the standby has everything.
  void catch_up() const {
    const auto end = primary.client().value("SELECT pg_current_wal_lsn()");
    REQUIRE(wait_until(
      [&] { return standby->client().holds("SELECT pg_last_wal_replay_lsn() >= '" + end + "'"); }));
  }

  /// The standby, with what it has, is the primary from now on.
  void promote() {
    REQUIRE(standby->client().holds("SELECT pg_promote()"));
    REQUIRE_FALSE(standby->client().holds("SELECT pg_is_in_recovery()"));
  }

  [[nodiscard]] std::string conninfo() const {
    return "host=" + primary.socket_folder() + "," + standby->socket_folder() +
           " port=" + std::to_string(primary.port()) + "," + std::to_string(standby->port()) +
           " user=postgres dbname=postgres target_session_attrs=read-write";
  }

  pg_cluster primary;
  std::optional<pg_cluster> standby;
};

source_facts facts_of(const pg_cluster& server) {
  postgres::postgres_source source{
    {.conninfo = server.conninfo(), .slot_name = "shop", .publications = {"shop"}}};
  auto facts = source.connect();
  REQUIRE(facts);
  return *facts;
}

/// Makes the slot that the primary had, before anything new is written, and then writes beyond the
/// end of the primary's WAL: what tells this server from the old one by slot and positions.
void resemble(const pg_cluster& server, const std::string& old_end) {
  auto session = server.client();
  session.exec("SELECT pg_create_logical_replication_slot('shop', 'pgoutput')");
  REQUIRE(session.holds("SELECT confirmed_flush_lsn < '" + old_end +
                        "' FROM pg_replication_slots WHERE slot_name = 'shop'"));
  while (!session.holds("SELECT pg_current_wal_flush_lsn() > '" + old_end + "'"))
    session.exec("INSERT INTO t SELECT nextval('t_id_seq') FROM generate_series(1, 100)");
}

} // namespace

TEST_CASE("a promoted standby tells where it left the old timeline, and a standby that it is one",
          "[timeline][postgres]") {
  pair servers;
  const auto before = facts_of(servers.primary);
  CHECK(before.identity.timeline == 1);
  CHECK(before.history.empty());
  CHECK_FALSE(before.in_recovery);
  CHECK(facts_of(*servers.standby).in_recovery);
  servers.catch_up();
  servers.primary.stop(stop_mode::immediate);
  servers.promote();
  const auto after = facts_of(*servers.standby);
  CHECK(after.identity.system_identifier == before.identity.system_identifier);
  CHECK(after.identity.timeline == 2);
  CHECK_FALSE(after.in_recovery);
  REQUIRE(after.history.size() == 1);
  CHECK(after.history.front().timeline == 1);
  const auto told = servers.standby->client().value(
    "SELECT split_part(pg_read_file('pg_wal/00000002.history'), E'\\t', 2)");
  CHECK(to_string(after.history.front().end) == told);
}

TEST_CASE("a history file that is gone proves nothing and stands in no way",
          "[timeline][postgres]") {
  pair servers;
  servers.primary.stop(stop_mode::immediate);
  servers.promote();
  std::filesystem::remove(servers.standby->data_folder() + "/pg_wal/00000002.history");
  const auto facts = facts_of(*servers.standby);
  CHECK(facts.identity.timeline == 2);
  CHECK(facts.history.empty());
}

TEST_CASE("a standby promoted without what was delivered is refused, however much it resembles",
          "[timeline][postgres]") {
  pair servers;
  program replicant{{.conninfo = servers.conninfo()}};
  replicant.start();
  REQUIRE(streams(replicant));
  write_rows(servers.primary, 10);
  REQUIRE(holds(replicant, 10));
  servers.catch_up();
  servers.standby->stop();
  // A whole segment more, so that there is room for what resembles it.
  servers.primary.exec("SELECT pg_switch_wal()");
  write_rows(servers.primary, 20);
  REQUIRE(holds(replicant, 30));
  const auto old_end = servers.primary.client().value("SELECT pg_current_wal_lsn()");

  ::kill(replicant.id(), SIGSTOP);
  servers.primary.stop(stop_mode::immediate);
  servers.standby->start();
  servers.promote();
  resemble(*servers.standby, old_end);
  const auto content = replicant.content();
  const auto slots = slots_of(*servers.standby);
  ::kill(replicant.id(), SIGCONT);

  CHECK(replicant.wait(60s) == ending{.exit_code = 1});
  CHECK_THAT(replicant.output(), Contains("HALTED: diverged expected="));
  CHECK(replicant.content() == content);
  CHECK(slots_of(*servers.standby) == slots);
}
