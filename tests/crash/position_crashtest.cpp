// SPDX-License-Identifier: MIT
#include "replicant/core/model/lsn.hpp"
#include "replicant/tests/crash/scene.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <catch2/catch.hpp>

#include <csignal>
#include <iostream>
#include <thread>
#include <vector>

using namespace replicant;
using namespace replicant::test;
using namespace std::chrono_literals;

namespace {

bool holds_commit_at(const program& replicant, std::uint64_t position) {
  return replicant.content().find(R"({"kind":"commit")") != std::string::npos &&
         replicant.content().find(R"("commit_lsn":")" + to_string(lsn{position}) + '"') !=
           std::string::npos;
}

/// Lets a commit record follow right behind a position that the program has persisted while idle,
/// with or without a new life in between. @returns whether the two touched.
bool commit_at_idle_mark(scene& where, bool killed) {
  auto open = where.server.client();
  open.exec("BEGIN; INSERT INTO events VALUES (1, 'written before the mark, committed behind it')");
  // Somebody else's commit brings the row to disk and the mark behind it.
  where.server.exec("INSERT INTO audit (what) VALUES ('x')");
  where.drain();
  const auto mark = last_position(where.replicant.file());
  if (killed)
    where.replicant.kill();
  open.exec("COMMIT");
  if (killed)
    where.run();
  where.drain();
  return holds_commit_at(where.replicant, mark + 1);
}

} // namespace

TEST_CASE("a commit that begins exactly at a persisted idle position is delivered",
          "[crash][position]") {
  scene where;
  where.run();
  for (const auto killed : {true, false}) {
    auto touched = false;
    // Now and then the server writes something of its own in between, or a page ends there.
    for (int attempt = 0; attempt < 20 && !touched; ++attempt)
      touched = commit_at_idle_mark(where, killed);
    INFO((killed ? "after a kill" : "without a kill"));
    CHECK(touched);
  }
  where.finish();
}

namespace {

/// What stands in the WAL at exactly this position.
bool commit_record_at(const pg_cluster& server, const std::string& position) {
  return server.client().holds("SELECT start_lsn = '" + position +
                               "' AND resource_manager = 'Transaction' AND record_type LIKE "
                               "'COMMIT%' FROM pg_get_wal_record_info('" +
                               position + "')");
}

/// Sessions that do nothing but commit, with time between their rows and their commits.
class committers {
public:
  explicit committers(const pg_cluster& server) {
    for (int who = 0; who < 4; ++who)
      threads_.emplace_back([session = server.client()](const std::stop_token& ending) mutable {
        while (!ending.stop_requested()) {
          session.exec("BEGIN; INSERT INTO events VALUES (1, 'x')");
          session.exec("COMMIT");
        }
      });
  }

private:
  std::vector<std::jthread> threads_;
};

/// Makes a slot under load and dies at once. @returns where it begins.
std::string make_slot(const pg_cluster& server, program& replicant) {
  const committers load{server};
  replicant.start_failing("after_slot_creation=kill");
  REQUIRE(replicant.wait(60s) == ending{.signal = SIGKILL});
  REQUIRE(wait_until([&] { return slot(server, "active_pid").empty(); }));
  // Some of the load has to be behind it.
  const auto end = wal_end(server);
  REQUIRE(wait_until([&] { return wal_end(server) > end + 10'000; }));
  return slot(server, "confirmed_flush_lsn");
}

} // namespace

TEST_CASE("a commit that begins exactly at the slot's consistent point is delivered",
          "[crash][position]") {
  const shop_server server;
  if (server.major() < 15) {
    WARN("SKIPPED: pg_walinspect comes with PostgreSQL 15");
    return;
  }
  server.exec("CREATE EXTENSION pg_walinspect");
  for (int attempt = 1; attempt <= 150; ++attempt) {
    program replicant{{.conninfo = server.conninfo()}};
    const oracle right{server};
    const auto origin = make_slot(server, replicant);
    const auto touched = commit_record_at(server, origin);
    if (touched) {
      replicant.start();
      REQUIRE(wait_until([&, to = wal_end(server)] { return confirmed(server) >= to; }, 60s));
      REQUIRE(replicant.stop() == ending{.exit_code = 0});
      right.expect_equal(replicant.files(), origin);
      CHECK(holds_commit_at(replicant, position_of(origin)));
    }
    server.exec("SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots");
    if (touched) {
      std::cout << "a commit began at the consistent point in attempt " << attempt << '\n';
      return;
    }
  }
  FAIL("no commit began at the consistent point");
}
