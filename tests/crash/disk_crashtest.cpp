// SPDX-License-Identifier: MIT
#include "replicant/tests/crash/scene.hpp"
#include "replicant/tests/support/small_disk.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <unistd.h>

using namespace replicant::test;
using namespace std::chrono_literals;

namespace {

/// Waits until the program has given up because of its file, and judges how.
void expect_halt(scene& where, const std::string& system_error) {
  const auto end = where.replicant.wait(60s);
  INFO(where.replicant.output());
  CHECK(end == ending{.exit_code = 1});
  CHECK(where.replicant.says("sink_failed"));
  CHECK(where.replicant.says(system_error));
  CHECK(where.replicant.status()["state"] == "halted");
  CHECK(where.replicant.status()["reason"] == "sink_failed");
  CHECK(slot(where.server, "slot_name") == "shop");
}

/// Goes on after the cure, which has left the file as it was.
void recover(scene& where, shop_load& load) {
  CHECK(confirmed(where.server) <= last_position(where.replicant.file()) + 1);
  where.run();
  load.stop();
  where.finish();
}

} // namespace

TEST_CASE("a write or a sync that fails halts, and a new run goes on without loss",
          "[crash][disk]") {
  scene where;
  where.run();
  REQUIRE(where.replicant.stop() == ending{.exit_code = 0});
  shop_load load{where.server};
  for (const auto* failing : {"before_write=error:28@7", "inside_transaction=error:28@2",
                              "before_fsync=error:5@5", "after_fsync=error:5@5"}) {
    INFO(failing);
    where.replicant.start_failing(failing);
    expect_halt(where, std::string{failing}.find(":28") == std::string::npos
                         ? "Input/output error"
                         : "No space left on device");
  }
  recover(where, load);
}

TEST_CASE("a full disk halts, and a larger one goes on without loss", "[crash][disk]") {
  const temp_dir folder;
  const auto path = folder / "disk";
  const small_disk disk{path};
  if (!disk.mounted()) {
    WARN("SKIPPED: a file system can be mounted by root only, and not in every container");
    return;
  }
  scene where{{.file = path + "/shop.jsonl"}};
  where.run();
  shop_load load{where.server};
  expect_halt(where, "No space left on device");
  disk.grow();
  recover(where, load);
}

TEST_CASE("a file that may not grow any more halts, and a new run goes on without loss",
          "[crash][disk]") {
  scene where;
  where.replicant.run_under({"prlimit", "--fsize=400000:"});
  where.run();
  shop_load load{where.server};
  expect_halt(where, "File too large");
  where.replicant.run_under({});
  recover(where, load);
}

TEST_CASE("a file that is moved away halts, and moved back goes on without loss", "[crash][disk]") {
  scene where;
  where.run();
  shop_load load{where.server};
  REQUIRE(wait_until([&] { return where.replicant.status()["transactions"] > 20; }, 60s));
  const auto& file = where.replicant.file();
  std::filesystem::rename(file, file + ".away");
  INFO(where.replicant.output());
  CHECK(where.replicant.wait(60s) == ending{.exit_code = 1});
  CHECK(where.replicant.says("sink_failed"));
  CHECK(slot(where.server, "slot_name") == "shop");

  where.replicant.start();
  CHECK(where.replicant.wait(60s) == ending{.exit_code = 1});
  CHECK(where.replicant.says("checkpoint_missing"));
  CHECK(where.replicant.content().empty());
  std::filesystem::rename(file + ".away", file);
  recover(where, load);
}

TEST_CASE("a file that may not be opened halts, and once it may goes on without loss",
          "[crash][disk]") {
  scene where{{.user = run_as::server_user}};
  where.run();
  shop_load load{where.server};
  REQUIRE(wait_until([&] { return where.replicant.status()["transactions"] > 20; }, 60s));
  where.replicant.kill();
  using std::filesystem::perms;
  std::filesystem::permissions(where.replicant.file(), perms::none);
  where.replicant.start();
  expect_halt(where, "Permission denied");
  std::filesystem::permissions(where.replicant.file(), perms::owner_read | perms::owner_write);
  recover(where, load);
}
