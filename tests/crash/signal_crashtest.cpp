// SPDX-License-Identifier: MIT
#include "replicant/tests/crash/scene.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <fstream>

using namespace replicant::test;
using namespace std::chrono_literals;

TEST_CASE("SIGTERM under load ends within seconds and confirms all that is in the file",
          "[crash][signal]") {
  scene where;
  where.run();
  shop_load load{where.server};
  REQUIRE(wait_until([&] { return where.replicant.status()["transactions"] > 50; }, 60s));
  const auto asked = std::chrono::steady_clock::now();
  REQUIRE(where.replicant.stop() == ending{.exit_code = 0});
  CHECK(std::chrono::steady_clock::now() - asked < 5s);
  CHECK(confirmed(where.server) == last_position(where.replicant.file()) + 1);
  where.run();
  load.stop();
  where.finish();
}

TEST_CASE("a start after SIGTERM is sent nothing again", "[crash][signal]") {
  scene where;
  where.run();
  {
    const shop_load load{where.server};
    REQUIRE(wait_until([&] { return where.replicant.status()["transactions"] > 50; }, 60s));
  }
  where.drain();
  REQUIRE(where.replicant.stop() == ending{.exit_code = 0});
  // The server counts what it hands to the output plugin.
  const auto sent = [&] {
    return where.server.client().value("SELECT total_txns::text || ' ' || total_bytes FROM "
                                       "pg_stat_replication_slots WHERE slot_name = 'shop'");
  };
  const auto before = sent();
  const auto content = where.replicant.content();
  where.run();
  where.drain();
  CHECK(sent() == before);
  CHECK(where.replicant.status()["transactions"] == 0);
  REQUIRE(where.replicant.stop() == ending{.exit_code = 0});
  // Positions of an idle server may follow, nothing else.
  const auto rest = where.replicant.content().substr(content.size());
  CHECK(where.replicant.content().starts_with(content));
  CHECK(rest.find("begin") == std::string::npos);
}

TEST_CASE("a second SIGTERM ends the program at once, whatever hangs", "[crash][signal]") {
  scene where;
  const auto gate = where.replicant.path("gate");
  where.replicant.start_failing("before_fsync=block:" + gate);
  REQUIRE(wait_until([&] { return where.replicant.says("streaming from"); }));
  where.drain();
  std::ofstream{gate}.flush();
  where.server.exec("INSERT INTO events VALUES (1, 'stuck')");
  REQUIRE(wait_until([&] { return std::filesystem::exists(gate + ".reached"); }));
  where.replicant.terminate();
  REQUIRE(wait_until([&] { return where.replicant.says("stopping as asked"); }));
  CHECK(where.replicant.running());
  const auto asked = std::chrono::steady_clock::now();
  // One that comes with the first counts as the same.
  REQUIRE(wait_until([&] {
    where.replicant.terminate();
    return where.replicant.says("so leaving at once");
  }));
  const auto ended = where.replicant.wait();
  CHECK(ended.exit_code == 143);
  CHECK(ended.signal == 0);
  CHECK(std::chrono::steady_clock::now() - asked < 1s);
  std::filesystem::remove(gate);
  where.run();
  where.finish();
}
