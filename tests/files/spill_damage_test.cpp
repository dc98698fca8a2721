// SPDX-License-Identifier: MIT
#include "replicant/tests/files/spill_place.hpp"
#include "replicant/tests/support/test_files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

using namespace replicant;
using namespace replicant::test;

namespace {

const std::string secret = "s3cr3t-planted";
constexpr std::size_t first_frame = 16;
constexpr std::size_t first_block = first_frame + 8;

/// Three blocks that begin with the secret.
struct damaged_place : spill_place {
  std::unique_ptr<spill_directory> disk = area();
  std::shared_ptr<spill_file> spilled =
    made(*disk, 745, {secret + std::string(100, 'a'), secret, secret + std::string(5000, 'b')});
  std::string path = file(745);

  /// Judges the fault of what was damaged. @returns the place that it tells.
  [[nodiscard]] std::uint64_t told() const {
    const auto what = reading_fault(*spilled);
    CHECK(what.why == reason::spill_io_failed);
    CHECK_FALSE(find_fact(what, fact_kind::error_number));
    CHECK(find_fact(what, fact_kind::transaction_id) == 745U);
    CHECK(to_string(what).find("s3cr3t") == std::string::npos);
    CHECK(explain(what).find("s3cr3t") == std::string::npos);
    REQUIRE(find_fact(what, fact_kind::file_offset));
    return *find_fact(what, fact_kind::file_offset);
  }
};

/// Under which number this process has the file open.
int number_of(const std::string& path) {
  for (const auto& entry : std::filesystem::directory_iterator{"/proc/self/fd"}) {
    std::error_code gone;
    if (std::filesystem::read_symlink(entry.path(), gone) == std::filesystem::canonical(path))
      return std::stoi(entry.path().filename().string());
  }
  return -1;
}

} // namespace

TEST_CASE("a byte that was changed is found wherever it is", "[files][unit]") {
  const damaged_place place;
  const auto whole = read_file(place.path);
  const auto second_frame = first_block + secret.size() + 100;
  REQUIRE(whole.size() == place.spilled->bytes());
  for (std::size_t at = 0; at < second_frame + 8 + secret.size(); ++at) {
    INFO(at);
    patch_file(place.path, at, std::string(1, static_cast<char>(whole[at] ^ 1)));
    const auto expected = at < first_frame ? 0 : at < second_frame ? first_frame : second_frame;
    CHECK(place.told() == expected);
    patch_file(place.path, at, whole.substr(at, 1));
  }
  CHECK(blocks_of(*place.spilled).size() == 3);
}

TEST_CASE("a length that was changed makes no room for what is not there", "[files][unit]") {
  const damaged_place place;
  patch_file(place.path, first_frame, "\xFF\xFF\xFF\xFF");
  CHECK(place.told() == first_frame);
}

TEST_CASE("zeros are no blocks", "[files][unit]") {
  const damaged_place place;
  patch_file(place.path, first_frame, std::string(place.spilled->bytes() - first_frame, '\0'));
  CHECK(place.told() == first_frame);
}

TEST_CASE("a file that is shorter or longer than what was written is found", "[files][unit]") {
  const damaged_place place;
  const auto written = place.spilled->bytes();
  for (const std::uint64_t length :
       {std::uint64_t{0}, std::uint64_t{7}, std::uint64_t{20}, written - 1, written + 1}) {
    INFO(length);
    const auto whole = read_file(place.path);
    std::filesystem::resize_file(place.path, length);
    CHECK(place.told() == std::min(length, written));
    std::filesystem::resize_file(place.path, written);
    patch_file(place.path, 0, whole);
  }
  CHECK(blocks_of(*place.spilled).size() == 3);
}

TEST_CASE("a file that becomes shorter during a pass is found", "[files][unit]") {
  const damaged_place place;
  const auto pass = place.spilled->read();
  REQUIRE(pass->next());
  REQUIRE(pass->next());
  const auto length = place.spilled->bytes() - 10;
  std::filesystem::resize_file(place.path, length);
  const auto block = pass->next();
  REQUIRE_FALSE(block);
  CHECK(block.error().why == reason::spill_io_failed);
  CHECK(find_fact(block.error(), fact_kind::file_offset) == length);
}

TEST_CASE("the blocks of another transaction are not taken for its own", "[files][unit]") {
  const damaged_place place;
  const auto other = made(*place.disk, 746, {secret + std::string(100, 'a')});
  auto whole = read_file(place.path);
  patch_file(place.path, 0, read_file(place.file(746)));
  CHECK(place.told() == 0);
}

TEST_CASE("a file whose name was removed is read all the same", "[files][unit]") {
  damaged_place place;
  std::filesystem::remove(place.path);
  CHECK(blocks_of(*place.spilled).size() == 3);
  place.spilled.reset();
  CHECK(place.disk->bytes() == 0);
}

TEST_CASE("a file that cannot be read any more is told with its errno and the place",
          "[files][unit]") {
  const damaged_place place;
  const auto pass = place.spilled->read();
  REQUIRE(pass->next());
  const auto number = number_of(place.path);
  REQUIRE(number > 0);
  // As a disk that has failed: a folder cannot be read.
  const auto instead = descriptor::open(place.folder(), O_RDONLY | O_DIRECTORY);
  REQUIRE(::dup3(instead.number(), number, O_CLOEXEC) == number);
  const auto block = pass->next();
  REQUIRE_FALSE(block);
  CHECK(block.error().why == reason::spill_io_failed);
  CHECK(find_fact(block.error(), fact_kind::error_number) == std::uint64_t{EISDIR});
  CHECK(find_fact(block.error(), fact_kind::file_offset) == first_block + secret.size() + 100);
}
