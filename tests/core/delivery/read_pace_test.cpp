// SPDX-License-Identifier: MIT
#include "replicant/core/delivery/read_pace.hpp"

#include <catch2/catch.hpp>

using namespace replicant;
using namespace std::chrono_literals;

namespace {

const moment start{1h};

/// Reads the socket until it is empty.
void read(read_pace& pace, std::size_t frames, moment now) {
  for (std::size_t i = 0; i < frames; ++i)
    pace.on_frame();
  pace.on_drained(now);
}

/// A stream that brings a row every 5 us. @returns when it was last read.
moment flood(read_pace& pace) {
  auto now = start;
  for (int i = 0; i < 10; ++i)
    read(pace, 20, now += 100us);
  return now;
}

} // namespace

TEST_CASE("a stream that was silent is read at once", "[delivery][unit]") {
  read_pace pace{250us};
  CHECK(pace.pause() == 0us);
  read(pace, 1, start);
  CHECK(pace.pause() == 0us);
}

TEST_CASE("transactions that come one by one never wait for each other", "[delivery][unit]") {
  read_pace pace{250us};
  auto now = start;
  for (int i = 0; i < 100; ++i) {
    read(pace, 3, now += 200us); // 5,000 in a second.
    CHECK(pace.pause() == 0us);
  }
}

TEST_CASE("a busy stream is read ever more rarely, up to what the socket can take",
          "[delivery][unit]") {
  read_pace pace{150us};
  auto now = start;
  auto before = 0us;
  for (int i = 0; i < 10; ++i) {
    read(pace, 20, now += 100us);
    CHECK(pace.pause() >= before);
    CHECK(pace.pause() <= 150us);
    before = pace.pause();
  }
  CHECK(before == 150us);
}

TEST_CASE("a busy stream stays busy though a read came late", "[delivery][unit]") {
  read_pace pace{250us};
  auto now = flood(pace);
  const auto before = pace.pause();
  read(pace, 270, now += 8ms);
  CHECK(pace.pause() == before);
}

TEST_CASE("a read that brought nothing ends the pauses", "[delivery][unit]") {
  read_pace pace{250us};
  const auto now = flood(pace);
  REQUIRE(pace.pause() > 0us);
  pace.on_drained(now + 100us);
  CHECK(pace.pause() == 0us);
}

TEST_CASE("a stream is lively for some milliseconds after it has brought something",
          "[delivery][unit]") {
  read_pace pace{250us};
  read(pace, 1, start);
  CHECK(pace.lively(start + 1ms));
  CHECK_FALSE(pace.lively(start + 20ms));
  pace.on_drained(start + 20ms);
  CHECK_FALSE(pace.lively(start + 20ms));
}
