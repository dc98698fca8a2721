// SPDX-License-Identifier: MIT
#include "replicant/core/delivery/read_pace.hpp"

#include <catch2/catch.hpp>

using namespace replicant;
using namespace std::chrono_literals;

namespace {

const moment start{1h};

/// Reads the socket until it is empty.
void read(read_pace& pace, std::size_t frames, std::size_t bytes_each, moment now) {
  for (std::size_t i = 0; i < frames; ++i)
    pace.on_frame(bytes_each);
  pace.on_drained(now);
}

/// A stream that brings a row every 5 us. @returns when it was last read.
moment flood(read_pace& pace) {
  auto now = start;
  for (int i = 0; i < 10; ++i)
    read(pace, 20, 100, now += 100us);
  return now;
}

} // namespace

TEST_CASE("a stream that was silent is read at once", "[delivery][unit]") {
  read_pace pace{{.longest = 250us}};
  CHECK(pace.pause() == 0us);
  read(pace, 1, 100, start);
  CHECK(pace.pause() == 0us);
}

TEST_CASE("transactions that come one by one never wait for each other", "[delivery][unit]") {
  read_pace pace{{.longest = 250us}};
  auto now = start;
  for (int i = 0; i < 100; ++i) {
    read(pace, 3, 100, now += 200us); // 5,000 in a second.
    CHECK(pace.pause() == 0us);
  }
}

TEST_CASE("a busy stream is read ever more rarely, up to what the socket can take",
          "[delivery][unit]") {
  read_pace pace{{.longest = 150us}};
  auto now = start;
  auto before = 0us;
  for (int i = 0; i < 10; ++i) {
    read(pace, 20, 100, now += 100us);
    CHECK(pace.pause() >= before);
    CHECK(pace.pause() <= 150us);
    before = pace.pause();
  }
  CHECK(before == 150us);
}

TEST_CASE("a read that was done in pieces counts as one", "[delivery][unit]") {
  read_pace pace{{.longest = 250us}};
  auto now = flood(pace);
  const auto before = pace.pause();
  for (int i = 0; i < 199; ++i)
    pace.on_frame(1000);
  read(pace, 1, 1000, now += 5ms);
  CHECK(pace.pause() == before);
}

TEST_CASE("a read that found the socket nearly full brings the next one nearer",
          "[delivery][unit]") {
  read_pace pace{{.longest = 250us, .room = 200'000}};
  auto now = flood(pace);
  const auto longest = pace.pause();
  SECTION("of many small messages") {
    read(pace, 200, 50, now += 100us);
    CHECK(pace.pause() < longest);
  }
  SECTION("of few large ones") {
    read(pace, 3, 53'000, now += 100us);
    CHECK(pace.pause() < longest);
  }
  SECTION("but not when half of the room was left") {
    read(pace, 100, 100, now += 100us);
    CHECK(pace.pause() == longest);
  }
  SECTION("and never waits for the socket to say so") {
    for (int i = 0; i < 10; ++i)
      read(pace, 200, 50, now += 50ms);
    CHECK(pace.pause() > 0us);
  }
}

TEST_CASE("a read that brought nothing ends the pauses", "[delivery][unit]") {
  read_pace pace{{.longest = 250us}};
  const auto now = flood(pace);
  REQUIRE(pace.pause() > 0us);
  pace.on_drained(now + 100us);
  CHECK(pace.pause() == 0us);
}

TEST_CASE("a stream is lively for some milliseconds after it has brought something",
          "[delivery][unit]") {
  read_pace pace{{.longest = 250us}};
  read(pace, 1, 100, start);
  CHECK(pace.lively(start + 1ms));
  CHECK_FALSE(pace.lively(start + 20ms));
  pace.on_drained(start + 20ms);
  CHECK_FALSE(pace.lively(start + 20ms));
}
