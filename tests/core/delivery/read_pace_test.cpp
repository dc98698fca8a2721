// SPDX-License-Identifier: MIT
#include "replicant/core/delivery/read_pace.hpp"

#include <catch2/catch.hpp>

using namespace replicant;
using namespace std::chrono_literals;

namespace {

const moment start{1h};

} // namespace

TEST_CASE("a stream that was silent is read at once", "[delivery][unit]") {
  read_pace pace{{.longest = 250us}};
  CHECK(pace.pause() == 0us);
  pace.on_read(1, 100, start);
  CHECK(pace.pause() == 0us);
  pace.on_read(1, 100, start + 6ms);
  CHECK(pace.pause() == 0us);
}

TEST_CASE("a busy stream is read ever more rarely, up to what the socket can take",
          "[delivery][unit]") {
  read_pace pace{{.longest = 50us}};
  auto now = start;
  pace.on_read(1, 100, now);
  auto before = 0us;
  for (int i = 0; i < 10; ++i) {
    now += 100us;
    pace.on_read(1, 100, now);
    CHECK(pace.pause() >= before);
    CHECK(pace.pause() <= 50us);
    before = pace.pause();
  }
  CHECK(before == 50us);
}

TEST_CASE("a read that found the socket nearly full brings the next one nearer",
          "[delivery][unit]") {
  read_pace pace{{.longest = 250us, .room = 200'000}};
  auto now = start;
  for (int i = 0; i < 10; ++i)
    pace.on_read(10, 1000, now += 100us);
  const auto longest = pace.pause();
  SECTION("of many small messages") {
    pace.on_read(200, 10'000, now += 100us);
    CHECK(pace.pause() < longest);
  }
  SECTION("of few large ones") {
    pace.on_read(3, 160'000, now += 100us);
    CHECK(pace.pause() < longest);
  }
  SECTION("but not when half of the room was left") {
    pace.on_read(100, 10'000, now += 100us);
    CHECK(pace.pause() == longest);
  }
}

TEST_CASE("a read that brought nothing ends the pauses", "[delivery][unit]") {
  read_pace pace{{.longest = 250us}};
  auto now = start;
  for (int i = 0; i < 10; ++i)
    pace.on_read(10, 1000, now += 100us);
  REQUIRE(pace.pause() > 0us);
  pace.on_read(0, 0, now += 100us);
  CHECK(pace.pause() == 0us);
}
