// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/live_lines.hpp"
#include "replicant/actors/cli/progress_line.hpp"
#include "replicant/tests/support/moving_pipeline.hpp"

#include <catch2/catch.hpp>

using namespace replicant;
using namespace replicant::cli;
using namespace replicant::test;
using namespace std::chrono_literals;

TEST_CASE("a line shows how a pipeline is", "[cli][unit]") {
  const auto one = streaming();
  CHECK(progress_line(one, moved(one), {.width = 200, .name_width = 6}) ==
        "shop    streaming  50 transactions/s, 500 rows/s, lag 2.0 KiB, 3 s, last commit "
        "2000-01-01T00:00:10.000000Z");
  auto idle = one;
  idle.in_flight_bytes = 0;
  CHECK(progress_line(idle, moved(idle), {.width = 67}) ==
        "shop  streaming  50 transactions/s, 500 rows/s, lag 2.0 KiB, last c");
  auto large = one;
  large.spilled_bytes = std::uint64_t{3} << 30U;
  CHECK(progress_line(large, moved(large), {.width = 78}) ==
        "shop  streaming  50 transactions/s, 500 rows/s, lag 2.0 KiB, 3 s, 3.0 GiB on d");
  auto paced = one;
  paced.paced = true;
  CHECK(progress_line(paced, moved(one), {.width = 23}) == "shop  streaming (paced)");
  auto halted = one;
  halted.phase = pipeline_phase::halted;
  halted.last_fault = fault{.why = reason::sink_failed};
  halted.last_commit_time = {};
  CHECK(progress_line(halted, moved(one), {.width = 200}) == "shop  halted: sink_failed");
}

TEST_CASE("a line is cut to the width, whatever its colours", "[cli][unit]") {
  const auto one = streaming();
  const auto full = progress_line(one, moved(one), {.width = 200});
  for (std::size_t width = 0; width <= full.size() + 5; ++width) {
    const auto plain = progress_line(one, moved(one), {.width = width});
    CHECK(plain == full.substr(0, width));
    const auto coloured = progress_line(one, moved(one), {.width = width, .coloured = true});
    CHECK(visible_width(coloured) == plain.size());
    CHECK((coloured.find('\x1b') == std::string::npos) == (width <= 6));
  }
}

TEST_CASE("a colour ends with what it colours", "[cli][unit]") {
  const auto one = streaming();
  CHECK(progress_line(one, moved(one), {.width = 10, .coloured = true}) ==
        "shop  \x1b[32mstre\x1b[0m");
}
