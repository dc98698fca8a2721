// SPDX-License-Identifier: MIT
#include "replicant/tests/files/spill_place.hpp"

#include <atomic>
#include <filesystem>
#include <thread>

using namespace replicant;
using namespace replicant::test;

TEST_CASE("what files take on disk is counted as it is", "[files][unit]") {
  const spill_place place;
  const auto area = place.area();
  const auto one = made(*area, 1, {"a", std::string(1000, 'b')});
  const auto two = made(*area, 2, {std::string(300'000, 'c')});
  CHECK(one->bytes() == std::filesystem::file_size(place.file(1)));
  CHECK(two->bytes() == std::filesystem::file_size(place.file(2)));
  CHECK(area->bytes() == one->bytes() + two->bytes());
  CHECK(area->limit() == much);
}

TEST_CASE("more than the limit over all files is refused before it is written", "[files][unit]") {
  const spill_place place;
  // Two files with a header of 16 bytes, and a frame of 8 bytes and a block each.
  const auto area = place.area(2 * (16 + 8 + 1000));
  const auto one = made(*area, 1, {std::string(1000, 'a')});
  const auto two = made(*area, 2);
  const auto refused = two->append(std::string(1001, 'b'));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().why == reason::spill_exhausted);
  CHECK(find_fact(refused.error(), fact_kind::limit) == area->limit());
  CHECK(std::filesystem::file_size(place.file(2)) == 0);
  CHECK(two->append("b").error().why == reason::spill_exhausted);

  const auto three = made(*area, 3, {std::string(1000, 'c')});
  CHECK(area->bytes() == area->limit());
  CHECK_FALSE(one->append(""));
  CHECK(blocks_of(*one) == std::vector{std::string(1000, 'a')});
}

TEST_CASE("what a file took is free again when it has gone", "[files][unit]") {
  const spill_place place;
  const auto area = place.area(10'000);
  auto one = made(*area, 1, {std::string(9000, 'a')});
  const auto two = made(*area, 2);
  CHECK_FALSE(two->append(std::string(9000, 'b')));
  one.reset();
  CHECK(area->bytes() == 0);
  CHECK_FALSE(exists(place.file(1)));
  const auto three = made(*area, 3, {std::string(9000, 'c')});
  CHECK(area->bytes() == three->bytes());
}

TEST_CASE("a file may go in another thread, and after its area", "[files][unit]") {
  const spill_place place;
  auto area = place.area();
  auto one = made(*area, 1, {std::string(1000, 'a')});
  auto two = made(*area, 2, {"b"});
  std::thread{[&] { one.reset(); }}.join();
  CHECK(area->bytes() == two->bytes());
  area.reset();
  CHECK(blocks_of(*two) == std::vector<std::string>{"b"});
  std::thread{[&] { two.reset(); }}.join();
  CHECK_FALSE(exists(place.folder()));
}

TEST_CASE("files that come and go in many threads leave nothing counted", "[files][unit]") {
  const spill_place place;
  const auto area = place.area(200'000);
  std::atomic<bool> over{false};
  {
    std::vector<std::shared_ptr<spill_file>> files;
    for (std::uint32_t xid = 1; xid <= 8; ++xid)
      files.push_back(made(*area, xid));
    std::vector<std::jthread> threads;
    for (auto& file : files)
      threads.emplace_back([&] {
        for (int count = 0; count < 1000 && file->append(std::string(999, 'x')); ++count)
          if (area->bytes() > area->limit())
            over = true;
        file.reset();
      });
  }
  CHECK_FALSE(over);
  CHECK(area->bytes() == 0);
}
