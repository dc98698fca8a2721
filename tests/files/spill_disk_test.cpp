// SPDX-License-Identifier: MIT
#include "replicant/tests/files/spill_place.hpp"
#include "replicant/tests/support/file_size_limit.hpp"
#include "replicant/tests/support/small_disk.hpp"

#include <cerrno>
#include <filesystem>

using namespace replicant;
using namespace replicant::test;

namespace {

const std::string block(30'000, 'a');

/// Appends until that fails, and judges how. @returns the errno.
int filling_error(spill_file& file) {
  result<void> done;
  for (int count = 0; done && count < 1000; ++count)
    done = file.append(block);
  REQUIRE_FALSE(done);
  CHECK(done.error().why == reason::spill_io_failed);
  const auto again = file.append("b");
  REQUIRE_FALSE(again);
  CHECK(to_string(again.error()) == to_string(done.error()));
  return static_cast<int>(find_fact(done.error(), fact_kind::error_number).value_or(0));
}

} // namespace

TEST_CASE("a file that may not grow any more is of no use, and others are", "[files][unit]") {
  const spill_place place;
  const auto area = place.area();
  auto file = made(*area, 745);
  {
    const file_size_limit limit{100'000};
    CHECK(filling_error(*file) == EFBIG);
    // The last block was taken in part.
    CHECK(std::filesystem::file_size(place.file(745)) == 100'000);
  }
  CHECK(reading_fault(*file).why == reason::spill_io_failed);
  CHECK(area->bytes() == file->bytes());
  file.reset();
  CHECK(area->bytes() == 0);
  CHECK(blocks_of(*made(*area, 745, {block})) == std::vector{block});
}

TEST_CASE("a full disk has room again when the file has gone", "[files][unit]") {
  spill_place place;
  const small_disk disk{place.root / "disk"};
  if (!disk.mounted()) {
    WARN("SKIPPED: a file system can be mounted by root only, and not in every container");
    return;
  }
  place.dir = place.root / "disk/spill";
  const auto area = place.area();
  const auto whole = made(*area, 744, {block});
  auto file = made(*area, 745);
  CHECK(filling_error(*file) == ENOSPC);
  CHECK(blocks_of(*whole) == std::vector{block});
  file.reset();
  CHECK(area->bytes() == whole->bytes());
  CHECK(blocks_of(*made(*area, 745, {block, block})) == std::vector{block, block});
}

TEST_CASE("on a disk that may only be read nothing is spilled", "[files][unit]") {
  spill_place place;
  const small_disk disk{place.root / "disk"};
  if (!disk.mounted()) {
    WARN("SKIPPED: a file system can be mounted by root only, and not in every container");
    return;
  }
  place.dir = place.root / "disk/spill";
  disk.refuse_writing();
  CHECK(creation_error(*place.area()) == EROFS);
}

TEST_CASE("without descriptors left no file is made, and later there is one", "[files][unit]") {
  const spill_place place;
  const auto area = place.area();
  const auto first = made(*area, 744, {"a"});
  std::vector<descriptor> all;
  {
    rlimit before{};
    REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
    const rlimit few{64, before.rlim_max};
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &few) == 0);
    do
      all.push_back(descriptor::duplicate(0));
    while (all.back());
    CHECK(creation_error(*area, 745) == EMFILE);
    CHECK(blocks_of(*first) == std::vector<std::string>{"a"});
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &before) == 0);
  }
  all.clear();
  CHECK_FALSE(exists(place.file(745)));
  CHECK(blocks_of(*made(*area, 745, {"b"})) == std::vector<std::string>{"b"});
}
