// SPDX-License-Identifier: MIT
#include "replicant/core/delivery/timeline.hpp"

#include <catch2/catch.hpp>

#include <vector>

using namespace replicant;

namespace {

/// On timeline 4, which was reached by way of 1 and 3.
source_facts promoted() {
  source_facts facts;
  facts.identity.timeline = 4;
  facts.history = {{1, lsn{100}}, {3, lsn{300}}};
  return facts;
}

watermark through(std::uint64_t position) {
  return watermark::through(lsn{position});
}

std::string refusal(const source_facts& facts, watermark durable, std::uint32_t remembered) {
  const auto judged = judge_timeline(facts, durable, {remembered});
  REQUIRE_FALSE(judged);
  return to_string(judged.error());
}

} // namespace

TEST_CASE("the same timeline leads on, wherever it came from", "[delivery][unit]") {
  CHECK(judge_timeline(promoted(), through(1000), {4}) == timeline_memory{4});
  auto without_history = promoted();
  without_history.history.clear();
  CHECK(judge_timeline(without_history, through(1000), {4}) == timeline_memory{4});
}

TEST_CASE("a later timeline leads on from what lies before it left ours", "[delivery][unit]") {
  // A commit that begins right before the end is whole; one that begins there is not the server's.
  CHECK(judge_timeline(promoted(), through(99), {1}) == timeline_memory{4});
  CHECK(judge_timeline(promoted(), watermark::before(lsn{100}), {1}) == timeline_memory{4});
  CHECK(refusal(promoted(), through(100), 1) == "diverged expected=0/65 found=0/64");
  CHECK(judge_timeline(promoted(), through(299), {3}) == timeline_memory{4});
  CHECK(refusal(promoted(), through(300), 3) == "diverged expected=0/12D found=0/12C");
}

TEST_CASE("a timeline with no way from ours is another branch", "[delivery][unit]") {
  CHECK(refusal(promoted(), through(50), 2) == "diverged expected_timeline=2 found_timeline=4");
  CHECK(refusal(promoted(), through(50), 5) == "diverged expected_timeline=5 found_timeline=4");
  auto untold = promoted();
  untold.history.clear();
  CHECK(refusal(untold, through(50), 1) == "diverged expected_timeline=1 found_timeline=4");
}

TEST_CASE("without a memory or a position there is nothing to judge", "[delivery][unit]") {
  CHECK(judge_timeline(promoted(), through(1000), {}) == timeline_memory{4});
  CHECK(judge_timeline(promoted(), watermark{}, {5}) == timeline_memory{4});
}

TEST_CASE("a standby is judged like any other, and nothing of it is remembered",
          "[delivery][unit]") {
  auto standby = promoted();
  standby.in_recovery = true;
  CHECK(judge_timeline(standby, through(99), {1}) == timeline_memory{});
  CHECK(refusal(standby, through(100), 1) == "diverged expected=0/65 found=0/64");
}

TEST_CASE("a timeline reads back as it was kept, and a damaged one is refused",
          "[delivery][unit]") {
  CHECK(timeline_in(std::vector{state_entry{"schema.1", "x"}, state_of(timeline_memory{7})}) ==
        timeline_memory{7});
  CHECK(timeline_in({}) == timeline_memory{});
  CHECK(state_of(timeline_memory{}).content.empty());
  for (const auto* const wrong : {"x", "7 ", "-1", "4294967296"})
    CHECK_FALSE(timeline_in(std::vector{state_entry{"timeline", wrong}}));
}
