// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/temporary_folder.hpp"
#include "replicant/tests/support/environment.hpp"
#include "replicant/tests/support/temp_dir.hpp"
#include "replicant/tests/support/test_files.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

using namespace replicant::cli;
using namespace replicant::test;

TEST_CASE("a temporary folder is made by whoever needs it, and goes with all that is in it",
          "[cli][unit]") {
  const temp_dir parent;
  environment variables;
  variables.set("TMPDIR", parent.path().string());
  std::string path;
  {
    const temporary_folder room;
    path = room.path();
    CHECK(std::filesystem::path{path}.parent_path() == parent.path());
    CHECK(std::filesystem::is_empty(parent.path()));
    std::filesystem::create_directories(path + "/slot.1");
    write_file(path + "/slot.1/7.spill", "row");
    const temporary_folder other;
    CHECK(other.path() != path);
  }
  CHECK(std::filesystem::is_empty(parent.path()));
  {
    const temporary_folder room;
    std::filesystem::create_directories(room.path() + "/slot.1");
    room.remove();
    CHECK(std::filesystem::is_empty(parent.path()));
  }
  variables.set("TMPDIR", parent / "missing");
  CHECK(std::filesystem::path{temporary_folder{}.path()}.parent_path() == "/tmp");
}
