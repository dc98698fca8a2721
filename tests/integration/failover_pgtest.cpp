// SPDX-License-Identifier: MIT
#include "replicant/tests/integration/shop_rows.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <iostream>
#include <optional>

using namespace replicant::test;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;

namespace {

constexpr auto first_with_failover = 17;

program_options lasting(const std::string& conninfo) {
  return {.conninfo = conninfo, .pipeline = {"failover = true"}};
}

/// A primary and its standby, which keeps the primary's slots for failovers. What the standby does
/// not have yet is sent to no consumer.
struct pair {
  pair() {
    primary.exec("SELECT pg_create_physical_replication_slot('standby', true)");
    make_table(primary);
    standby.emplace(
      cluster_options{.conf = {"synchronized_standby_slots = ''", "sync_replication_slots = on"},
                      .primary = &primary});
  }

  /// Waits until the standby's copy of the slot would outlive the primary. That takes a consumer
  /// and records of running transactions, which the server writes every 15 s by itself.
  void wait_for_copy() const {
    auto here = primary.client();
    auto there = standby->client();
    REQUIRE(wait_until(
      [&] {
        here.exec("SELECT pg_log_standby_snapshot()");
        return there.value("SELECT synced AND NOT temporary FROM pg_replication_slots") == "t";
      },
      60s));
  }

  /// The primary dies with what it has sent to its standby, and the standby takes its place.
  void fail_over() {
    const auto end = primary.client().value("SELECT pg_current_wal_lsn()");
    auto there = standby->client();
    REQUIRE(
      wait_until([&] { return there.holds("SELECT pg_last_wal_replay_lsn() >= '" + end + "'"); }));
    primary.stop(stop_mode::immediate);
    there.exec("SELECT pg_promote()");
  }

  pg_cluster primary{{.conf = {"synchronized_standby_slots = 'standby'"}}};
  std::optional<pg_cluster> standby;
};

bool has_servers_with_failover() {
  if (pg_binaries::main().major >= first_with_failover)
    return true;
  std::cerr << "SKIPPED: slots outlive a failover from PostgreSQL 17 on\n";
  return false;
}

} // namespace

TEST_CASE("a slot is made for failovers where the server knows them, and nowhere else is one made",
          "[failover][postgres]") {
  const pg_cluster server;
  make_table(server);
  program replicant{lasting(server.conninfo())};
  replicant.start();
  if (server.major() < first_with_failover) {
    CHECK(replicant.wait() == ending{.exit_code = 1});
    CHECK_THAT(replicant.output(), Contains("HALTED: failover_unsupported server_version_num=" +
                                            std::to_string(server.major())));
    CHECK(server.client().value("SELECT count(*) FROM pg_replication_slots") == "0");
    return;
  }
  REQUIRE(streams(replicant));
  CHECK(server.client().holds("SELECT failover AND NOT temporary FROM pg_replication_slots"));
  CHECK(replicant.stop() == ending{.exit_code = 0});
}

TEST_CASE("a file goes on at a promoted standby, and no sooner, without a row lost or doubled",
          "[failover][postgres]") {
  if (!has_servers_with_failover())
    return;
  pair servers;
  program before{lasting(servers.primary.conninfo())};
  before.start();
  REQUIRE(streams(before));
  write_rows(servers.primary, 50);
  REQUIRE(holds(before, 50));
  servers.wait_for_copy();
  write_rows(servers.primary, 20);
  REQUIRE(holds(before, 70));
  REQUIRE(before.stop() == ending{.exit_code = 0});
  write_rows(servers.primary, 10); // Never read from the primary.

  auto moved = lasting(servers.standby->conninfo());
  moved.file = before.file();
  moved.go_forward_only = false;
  program after{moved};
  const auto held = after.content();
  after.start();
  CHECK(after.wait() == ending{.exit_code = 1});
  CHECK_THAT(after.output(), Contains("HALTED: slot_synced_unpromoted"));
  CHECK(after.content() == held);

  servers.fail_over();
  after.start();
  REQUIRE(streams(after));
  write_rows(*servers.standby, 5);
  const auto all = rows_of(*servers.standby);
  REQUIRE(all.size() == 85);
  CHECK(holds(after, all.size()));
  CHECK(after.stop() == ending{.exit_code = 0});
  CHECK(rows_of(after.content()) == all);
}

TEST_CASE("a running program follows a failover by itself, without a row lost or doubled",
          "[failover][postgres]") {
  if (!has_servers_with_failover())
    return;
  pair servers;
  program replicant{lasting(
    "host=" + servers.primary.socket_folder() + "," + servers.standby->socket_folder() + " port=" +
    std::to_string(servers.primary.port()) + "," + std::to_string(servers.standby->port()) +
    " user=postgres dbname=postgres target_session_attrs=read-write")};
  replicant.start();
  REQUIRE(streams(replicant));
  write_rows(servers.primary, 50);
  servers.wait_for_copy();
  write_rows(servers.primary, 20);
  servers.fail_over();
  write_rows(*servers.standby, 30);
  const auto all = rows_of(*servers.standby);
  REQUIRE(all.size() == 100);
  CHECK(holds(replicant, all.size()));
  CHECK(replicant.status()["reconnects"] >= 1);
  CHECK(replicant.stop() == ending{.exit_code = 0});
  CHECK(rows_of(replicant.content()) == all);
}
