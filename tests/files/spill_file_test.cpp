// SPDX-License-Identifier: MIT
#include "replicant/tests/files/spill_place.hpp"

#include <sys/mman.h>

#include <array>
#include <cerrno>
#include <thread>

using namespace replicant;
using namespace replicant::test;

namespace {

/// A block that no other is like.
std::string block_of(std::size_t size, unsigned number) {
  std::string block(size, '\0');
  for (std::size_t i = 0; i < size; ++i)
    block[i] = static_cast<char>((i * 31 + number * 7 + i / 251) & 0xFFU);
  return block;
}

} // namespace

TEST_CASE("blocks come back as they were put, at every pass", "[files][unit]") {
  const spill_place place;
  const auto area = place.area();
  const std::vector<std::string> blocks{block_of(1, 1),       "",
                                        block_of(300'000, 2), std::string(5000, '\0'),
                                        block_of(7, 3),       block_of(2'000'001, 4),
                                        block_of(4096, 5)};
  const auto file = made(*area, 745, blocks);
  for (int pass = 0; pass < 3; ++pass)
    CHECK((blocks_of(*file) == blocks));
}

TEST_CASE("a file to which nothing was put has no block and takes nothing", "[files][unit]") {
  const spill_place place;
  const auto area = place.area();
  const auto file = made(*area, 745);
  CHECK(exists(place.file(745)));
  CHECK(blocks_of(*file).empty());
  CHECK(file->bytes() == 0);
  CHECK(area->bytes() == 0);
}

TEST_CASE("what was put behind a pass is in the next one", "[files][unit]") {
  const spill_place place;
  const auto area = place.area();
  const auto file = made(*area, 745, {"a"});
  CHECK(blocks_of(*file) == std::vector<std::string>{"a"});
  REQUIRE(file->append("b"));
  CHECK(blocks_of(*file) == std::vector<std::string>{"a", "b"});
}

TEST_CASE("files that are written in turn keep their blocks apart", "[files][unit]") {
  const spill_place place;
  const auto area = place.area();
  std::vector<std::shared_ptr<spill_file>> files;
  std::vector<std::vector<std::string>> blocks(5);
  for (std::uint32_t xid = 0; xid < 5; ++xid)
    files.push_back(made(*area, xid));
  for (unsigned round = 0; round < 40; ++round)
    for (unsigned xid = 0; xid < 5; ++xid) {
      blocks[xid].push_back(block_of(round * 97 + xid, round * 5 + xid));
      REQUIRE(files[xid]->append(blocks[xid].back()));
    }
  for (unsigned xid = 0; xid < 5; ++xid)
    CHECK((blocks_of(*files[xid]) == blocks[xid]));
}

TEST_CASE("several passes at the same time do not disturb each other", "[files][unit]") {
  const spill_place place;
  const auto area = place.area();
  std::vector<std::string> blocks;
  for (unsigned i = 0; i < 200; ++i)
    blocks.push_back(block_of(1 + i * i % 9001, i));
  const auto file = made(*area, 745, blocks);
  const auto first = file->read();
  REQUIRE(first->next());
  CHECK((blocks_of(*file) == blocks));
  const auto second = first->next();
  REQUIRE(second);
  CHECK((**second == blocks[1]));

  std::array<bool, 4> same{};
  {
    std::vector<std::jthread> readers;
    for (auto& one : same)
      readers.emplace_back([&] {
        const auto pass = file->read();
        std::size_t number = 0;
        for (auto block = pass->next(); block && *block; block = pass->next())
          if (number == blocks.size() || **block != blocks[number++])
            return;
        one = number == blocks.size();
      });
  }
  CHECK(same == std::array{true, true, true, true});
}

TEST_CASE("a block whose length needs more than 32 bits is refused", "[files][unit]") {
  constexpr auto size = (std::size_t{1} << 32) + 1;
  auto* const nothing =
    ::mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  REQUIRE(nothing != MAP_FAILED);
  const spill_place place;
  const auto area = place.area(~std::uint64_t{0});
  const auto file = made(*area, 745);
  const auto done = file->append({static_cast<const char*>(nothing), size});
  ::munmap(nothing, size);
  REQUIRE_FALSE(done);
  CHECK(done.error().why == reason::spill_io_failed);
  CHECK(find_fact(done.error(), fact_kind::error_number) == std::uint64_t{EOVERFLOW});
  CHECK(area->bytes() == 0);
}

TEST_CASE("there is one file for a transaction at a time", "[files][unit]") {
  const spill_place place;
  const auto area = place.area();
  auto file = made(*area, 745, {"a"});
  CHECK(creation_error(*area, 745) == EEXIST);
  CHECK(blocks_of(*file) == std::vector<std::string>{"a"});
  file.reset();
  CHECK(blocks_of(*made(*area, 745, {"b"})) == std::vector<std::string>{"b"});
}
