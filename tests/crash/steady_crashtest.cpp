// SPDX-License-Identifier: MIT
#include "replicant/tests/crash/scene.hpp"
#include "replicant/tests/support/environment.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <fstream>

using namespace replicant::test;
using namespace std::chrono_literals;

namespace {

void write_unpublished(const pg_cluster& server) {
  auto session = server.client();
  for (int i = 0; i < 100; ++i)
    session.exec("INSERT INTO audit (what) SELECT repeat('y', 500) FROM generate_series(1, 20)");
  session.exec("SELECT pg_switch_wal()");
}

} // namespace

TEST_CASE("a sink that is blocked for long keeps its walsender and resumes without sending again",
          "[crash][steady]") {
  const std::chrono::seconds blocked{number_from_environment("REPLICANT_BLOCK_SECONDS", 15)};
  scene where{{.pipeline = {"max_inflight_lag = \"1MiB\""}}, {"wal_sender_timeout = 5s"}};
  const auto gate = where.replicant.path("gate");
  where.replicant.start_failing("before_fsync=block:" + gate);
  REQUIRE(wait_until([&] { return where.replicant.says("streaming from"); }));
  where.drain();
  const auto sender = slot(where.server, "active_pid");
  REQUIRE_FALSE(sender.empty());

  std::ofstream{gate}.flush();
  const auto until = std::chrono::steady_clock::now() + blocked;
  for (int i = 0; i < 40; ++i)
    where.server.exec(
      "INSERT INTO events SELECT 2, repeat('x', 1000) FROM generate_series(1, 1000)");
  REQUIRE(wait_until([&] { return where.replicant.status()["paced"] == true; }, 60s));
  // The backlog is larger than the socket's buffers: the server has not sent it all.
  CHECK(where.server.client().holds(
    "SELECT sent_lsn < pg_current_wal_lsn() - 1000000 FROM pg_stat_replication"));
  while (std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(500ms);
    REQUIRE(slot(where.server, "active_pid") == sender);
  }
  std::filesystem::remove(gate);
  where.drain();
  CHECK(slot(where.server, "active_pid") == sender);
  const auto status = where.replicant.status();
  CHECK(status["reconnects"] == 0);
  CHECK(status["transactions"] == 40);
  CHECK(status["changes"] == 40'000);
  where.finish();
}

TEST_CASE("an idle publication in a busy cluster advances its slot, across restarts too",
          "[crash][steady]") {
  scene where;
  where.run();
  for (int round = 0; round < 3; ++round) {
    write_unpublished(where.server);
    where.drain();
    CHECK(where.replicant.status()["transactions"] == 0);
    if (round == 0)
      REQUIRE(where.replicant.stop() == ending{.exit_code = 0});
    else
      where.replicant.kill();
    // Also while nobody listens.
    write_unpublished(where.server);
    where.run();
    where.drain();
  }
  where.server.exec("INSERT INTO events VALUES (1, 'at last')");
  where.drain();
  CHECK(where.replicant.status()["transactions"] == 1);
  where.finish();
}
