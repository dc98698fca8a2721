// SPDX-License-Identifier: MIT
#include "replicant/core/delivery/intake.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace replicant;
using namespace std::chrono_literals;

namespace {

const moment start{1h};

std::vector<std::string> frames_of(const chunk& source) {
  std::vector<std::string> frames;
  source.for_each_frame([&](std::string_view frame) {
    frames.emplace_back(frame);
    return true;
  });
  return frames;
}

} // namespace

TEST_CASE("frames come out as they went in, in order", "[delivery][unit]") {
  intake gathering{start};
  gathering.add("one");
  gathering.add("");
  gathering.add("three");
  const auto taken = gathering.take(start, true);
  REQUIRE(taken);
  CHECK(frames_of(*taken) == std::vector<std::string>{"one", "", "three"});
  CHECK_FALSE(gathering.take(start, true));
}

TEST_CASE("a flood of keepalives becomes the latest mark, once per pace", "[delivery][unit]") {
  intake gathering{start};
  for (std::uint64_t at = 1; at <= 1000; ++at)
    gathering.mark(watermark::before(lsn{at}), false);
  const auto first = gathering.take(start, true);
  REQUIRE(first);
  CHECK(first->mark == watermark::before(lsn{1000}));
  gathering.mark(watermark::before(lsn{2000}), false);
  CHECK_FALSE(gathering.take(start + 999ms, true));
  CHECK(gathering.next_deadline() == start + intake::mark_pace);
  const auto second = gathering.take(start + 1000ms, true);
  REQUIRE(second);
  CHECK(second->mark == watermark::before(lsn{2000}));
  CHECK_FALSE(gathering.next_deadline());
}

TEST_CASE("a mark that the server waits for goes at once when nothing is in flight",
          "[delivery][unit]") {
  intake gathering{start};
  gathering.mark(watermark::before(lsn{10}), false);
  REQUIRE(gathering.take(start, true));
  gathering.mark(watermark::before(lsn{20}), true);
  CHECK_FALSE(gathering.take(start + 1ms, false));
  const auto taken = gathering.take(start + 1ms, true);
  REQUIRE(taken);
  CHECK(taken->mark == watermark::before(lsn{20}));
}

TEST_CASE("a position told before is not marked again", "[delivery][unit]") {
  intake gathering{start};
  gathering.mark(watermark::before(lsn{10}), true);
  REQUIRE(gathering.take(start, true));
  gathering.mark(watermark::before(lsn{10}), true);
  CHECK_FALSE(gathering.take(start + 10s, true));
}

TEST_CASE("a lower position never replaces one that waits", "[delivery][unit]") {
  intake gathering{start};
  gathering.mark(watermark::before(lsn{500}), false);
  gathering.mark(watermark::before(lsn{20}), true);
  const auto taken = gathering.take(start, true);
  REQUIRE(taken);
  CHECK(taken->mark == watermark::before(lsn{500}));
}

TEST_CASE("what trickles in costs little more than its bytes, and all of it is charged",
          "[delivery][unit]") {
  intake gathering{start};
  gathering.add("few");
  const auto small = gathering.take(start, false);
  REQUIRE(small);
  CHECK(frames_of(*small) == std::vector<std::string>{"few"});
  CHECK(small->charge() < 1024);
  gathering.add(std::string(chunk::target_bytes, 'x'));
  const auto large = gathering.take(start, false);
  REQUIRE(large);
  CHECK(large->charge() > chunk::target_bytes);
  CHECK(frames_of(*large).size() == 1);
}

TEST_CASE("a chunk is full at its size, and one frame may be larger", "[delivery][unit]") {
  intake gathering{start};
  gathering.add(std::string(chunk::target_bytes * 2, 'x'));
  CHECK(gathering.full());
  const auto taken = gathering.take(start, false);
  REQUIRE(taken);
  CHECK(frames_of(*taken).front().size() == chunk::target_bytes * 2);
  CHECK_FALSE(gathering.full());
}
