// SPDX-License-Identifier: MIT
#include "replicant/core/delivery/jsonl_names.hpp"
#include "replicant/core/telemetry/failpoint.hpp"
#include "replicant/tests/crash/scene.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace replicant;
using namespace replicant::test;

namespace {

/// What the lines of all files tell of changes of "scratch": the change and its column.
std::vector<std::string> told(const program& replicant) {
  std::vector<std::string> changes;
  for (const auto& file : replicant.files()) {
    std::ifstream lines{file};
    for (std::string line; std::getline(lines, line);) {
      const auto members = nlohmann::json::parse(line);
      if (members.at("kind") != "schema_change" || members.at("table") != "scratch")
        continue;
      for (const auto& one : members.at("changes"))
        changes.push_back(one.at("change").get<std::string>() + " " +
                          one.at("column").get<std::string>());
    }
  }
  return changes;
}

/// A file, or one for each transaction.
program_options files_of_kind(bool rotated) {
  program_options how;
  if (rotated)
    how.rest = {"rotate = { bytes = 1 }"};
  return how;
}

void end(scene& where, bool killed) {
  where.drain();
  if (killed)
    where.replicant.kill();
  else
    REQUIRE(where.replicant.stop() == ending{.exit_code = 0});
}

const auto dropped = std::vector<std::string>{"column_dropped what's in"};

} // namespace

TEST_CASE("a table that was altered while the program was away is told of once it is back",
          "[crash][schema]") {
  const auto killed = GENERATE(false, true);
  const auto rotated = GENERATE(false, true);
  scene where{files_of_kind(rotated)};
  where.run();
  where.server.exec("INSERT INTO scratch VALUES (1, 'x')");
  end(where, killed);
  where.server.exec(
    "ALTER TABLE scratch DROP COLUMN \"what's in\"; INSERT INTO scratch VALUES (2)");
  where.run();
  end(where, killed);
  CHECK(told(where.replicant) == dropped);

  // What it has learned now is as well remembered, with a hint and without.
  std::filesystem::remove(hint_path(where.replicant.file()));
  where.server.exec("INSERT INTO scratch VALUES (3)");
  where.run();
  end(where, killed);
  where.server.exec("ALTER TABLE scratch ADD COLUMN more int; INSERT INTO scratch VALUES (4, 4)");
  where.run();
  where.drain();
  CHECK(told(where.replicant) == std::vector<std::string>{dropped[0], "column_added more"});
  where.finish();
}

TEST_CASE("a change of a table is told of once, wherever the program is killed over it",
          "[crash][schema]") {
  const auto rotated = GENERATE(false, true);
  scene where{files_of_kind(rotated)};
  std::vector points{failpoint::before_write, failpoint::before_fsync, failpoint::after_fsync,
                     failpoint::before_acknowledge, failpoint::after_acknowledge};
  if (rotated)
    points = {failpoint::before_fsync, failpoint::before_next_file, failpoint::before_archive,
              failpoint::before_replacement, failpoint::after_replacement};
  where.run();
  where.server.exec("INSERT INTO scratch VALUES (0, 'x')");
  end(where, true);
  std::vector<std::string> expected;
  for (const auto point : points) {
    const auto column = "c" + std::to_string(expected.size());
    expected.push_back("column_added " + column);
    where.server.exec("ALTER TABLE scratch ADD COLUMN " + column +
                      " int; INSERT INTO scratch VALUES (" + std::to_string(expected.size()) +
                      ", 'x')");
    where.replicant.start_failing(std::string{to_string(point)} + "=kill@1");
    INFO(to_string(point));
    REQUIRE(where.replicant.wait() == ending{.signal = SIGKILL});
    where.run();
    end(where, true);
    CHECK(told(where.replicant) == expected);
  }
  where.run();
  where.finish();
}
