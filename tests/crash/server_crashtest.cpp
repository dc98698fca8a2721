// SPDX-License-Identifier: MIT
#include "replicant/tests/crash/scene.hpp"
#include "replicant/tests/support/tcp_proxy.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <fstream>

using namespace replicant::test;
using namespace std::chrono_literals;

namespace {

/// Waits until the file has grown by whole transactions, so that each disturbance meets a stream
/// under way.
void wait_for_growth(const scene& where) {
  const auto before = last_position(where.replicant.file());
  INFO(where.replicant.output());
  REQUIRE(wait_until([&] { return last_position(where.replicant.file()) > before; }, 60s));
}

} // namespace

TEST_CASE("nothing is lost or doubled by restarts of the server", "[crash][server]") {
  scene where;
  where.run();
  shop_load load{where.server};
  for (const auto mode : {stop_mode::fast, stop_mode::immediate, stop_mode::immediate,
                          stop_mode::fast, stop_mode::immediate, stop_mode::fast}) {
    wait_for_growth(where);
    where.server.restart(mode);
  }
  wait_for_growth(where);
  load.stop();
  where.finish();
}

TEST_CASE("nothing is lost or doubled by terminated walsenders", "[crash][server]") {
  scene where;
  where.run();
  shop_load load{where.server};
  for (int round = 0; round < 8; ++round) {
    wait_for_growth(where);
    const auto sender = slot(where.server, "active_pid");
    REQUIRE_FALSE(sender.empty());
    where.server.exec("SELECT pg_terminate_backend(" + sender + ")");
    REQUIRE(wait_until([&] {
      const auto next = slot(where.server, "active_pid");
      return !next.empty() && next != sender;
    }));
  }
  wait_for_growth(where);
  load.stop();
  where.drain();
  CHECK(where.replicant.status()["reconnects"] >= 8);
  where.finish();
}

TEST_CASE("nothing is lost or doubled by a network that breaks and stalls", "[crash][server]") {
  shop_server server{{"wal_sender_timeout = 2s"}};
  tcp_proxy network{server.port()};
  const oracle right{server};
  program replicant{{.conninfo = "host=127.0.0.1 port=" + std::to_string(network.port()) +
                                 " user=postgres dbname=postgres"}};
  replicant.start();
  REQUIRE(wait_until([&] { return replicant.says("streaming from"); }));
  shop_load load{server};
  const auto grows = [&, before = std::uint64_t{0}]() mutable {
    const auto now = last_position(replicant.file());
    return now > std::exchange(before, now);
  };
  const std::vector<std::function<void()>> disturbances{
    [&] { network.cut(); },
    [&] { network.stall(); },
    [&] { network.half_open(); },
    [&] {
      network.refuse(true);
      network.cut();
    },
    [&] { network.delay(50ms); },
  };
  for (int round = 0; round < 10; ++round) {
    INFO("round " << round << "\n" << replicant.output());
    REQUIRE(wait_until(grows, 60s));
    disturbances.at(static_cast<std::size_t>(round) % disturbances.size())();
    // Longer than the server waits for us, every other time.
    std::this_thread::sleep_for(round % 2 == 0 ? 300ms : 3s);
    network.delay(0ms);
    network.refuse(false);
    network.forward();
    if (round % 5 == 2)
      network.cut();
  }
  load.stop();
  REQUIRE(wait_until([&, end = wal_end(server)] { return confirmed(server) >= end; }, 2min));
  REQUIRE(replicant.stop() == ending{.exit_code = 0});
  right.expect_equal(replicant.files());
}

TEST_CASE("nothing is lost or doubled by a sink that rests", "[crash][server]") {
  scene where{{.pipeline = {"max_inflight_lag = \"256KiB\""}}};
  const auto gate = where.replicant.path("gate");
  where.replicant.start_failing("before_fsync=block:" + gate);
  REQUIRE(wait_until([&] { return where.replicant.says("streaming from"); }));
  shop_load load{where.server};
  for (int round = 0; round < 4; ++round) {
    wait_for_growth(where);
    std::ofstream{gate}.flush();
    REQUIRE(wait_until([&] { return where.replicant.status()["paced"] == true; }, 60s));
    // Whatever the walsender does meanwhile, it may not lead to a position that is not in the file.
    CHECK(confirmed(where.server) <= last_position(where.replicant.file()) + 1);
    std::filesystem::remove(gate);
  }
  load.stop();
  where.drain();
  CHECK(where.replicant.status()["reconnects"] == 0);
  where.finish();
}
