// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/accepted_changes.hpp"
#include "replicant/tests/support/temp_dir.hpp"
#include "replicant/tests/support/test_files.hpp"

#include <catch2/catch.hpp>

#include <cerrno>
#include <filesystem>

using namespace replicant::cli;
using namespace replicant::test;

TEST_CASE("accepted changes are kept for their pipeline, each once", "[cli][unit]") {
  const temp_dir folder;
  const accepted_changes kept{folder.path().string()};
  CHECK(kept.read("shop")->empty());
  CHECK(kept.add("shop", 7) == 0);
  CHECK(kept.add("shop", 0xFFFFFFFFFFFFFFFFULL) == 0);
  CHECK(kept.add("shop", 7) == 0);
  CHECK(kept.read("shop") == std::vector<std::uint64_t>{7, 0xFFFFFFFFFFFFFFFFULL});
  CHECK(kept.read("other")->empty());
  CHECK(read_file(kept.file_of("shop")) == "0000000000000007\nffffffffffffffff\n");
  CHECK_FALSE(std::filesystem::exists(kept.file_of("shop") + ".new"));
}

TEST_CASE("accepted changes that hold anything else are not read, and not overwritten",
          "[cli][unit]") {
  const temp_dir folder;
  const accepted_changes kept{folder.path().string()};
  for (const auto* text : {"7\n", "\n", "0000000000000007 \n", "000000000000000G\n"}) {
    write_file(kept.file_of("shop"), text);
    CHECK(kept.read("shop").error() == EBADMSG);
    CHECK(kept.add("shop", 8) == EBADMSG);
    CHECK(read_file(kept.file_of("shop")) == text);
  }
  CHECK(accepted_changes{folder / "missing"}.add("shop", 8) == ENOENT);
}
