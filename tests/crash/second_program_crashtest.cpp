// SPDX-License-Identifier: MIT
#include "replicant/tests/crash/scene.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace replicant::test;
using namespace std::chrono_literals;

TEST_CASE("a second program on the same file is refused and the first is not disturbed",
          "[crash][second]") {
  scene where;
  where.run();
  shop_load load{where.server};
  REQUIRE(wait_until([&] { return where.replicant.status()["transactions"] > 20; }, 60s));
  const auto sender = slot(where.server, "active_pid");
  program second{{.conninfo = where.server.conninfo(), .file = where.replicant.file()}};
  for (int round = 0; round < 3; ++round) {
    second.start();
    CHECK(second.wait() == ending{.exit_code = 1});
    CHECK(second.says("sink_locked"));
  }
  CHECK(slot(where.server, "active_pid") == sender);
  CHECK(where.replicant.status()["reconnects"] == 0);
  load.stop();
  where.finish();
}

TEST_CASE("a second program on the same control socket is refused", "[crash][second]") {
  scene where;
  where.run();
  where.drain();
  const auto socket = "control_socket = \"" + where.replicant.path("state/control.sock") + "\"";
  program second{{.conninfo = where.server.conninfo(), .runtime = {socket}}};
  second.start();
  CHECK(second.wait() == ending{.exit_code = 3});
  CHECK(second.says("is in use"));
  CHECK_FALSE(std::filesystem::exists(second.file()));
  CHECK(where.replicant.is("streaming"));
  where.finish();
}
