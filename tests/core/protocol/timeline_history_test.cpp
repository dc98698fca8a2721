// SPDX-License-Identifier: MIT
#include "replicant/core/protocol/timeline_history.hpp"

#include <catch2/catch.hpp>

using namespace replicant;

TEST_CASE("a history tells where each earlier timeline ended", "[protocol][unit]") {
  const auto history = parse_timeline_history("1\t0/3000148\tno recovery target specified\n\n"
                                              "2\t1A/5B0001F0\tbefore 2026-11-30 08:00:00+00\n");
  REQUIRE(history);
  CHECK(*history ==
        std::vector{timeline_end{1, lsn{0x3000148}}, timeline_end{2, lsn{0x1A'5B00'01F0}}});
}

TEST_CASE("remarks, blanks and an end without a line break belong to no timeline",
          "[protocol][unit]") {
  const std::vector<timeline_end> one{{7, lsn{0x10}}};
  CHECK(parse_timeline_history("# copied by hand\n  7\t0/10") == one);
  CHECK(parse_timeline_history("7 0/10 at restore point \"1\t0/20\"\r\n") == one);
  CHECK(parse_timeline_history("") == std::vector<timeline_end>{});
  CHECK(parse_timeline_history("\n \t\n") == std::vector<timeline_end>{});
}

TEST_CASE("a history that no server writes proves nothing", "[protocol][unit]") {
  for (const auto* content :
       {"1\n", "1\tx\n", "x\t0/10\n", "0\t0/10\n", "-1\t0/10\n", "1\t0/10\n1\t0/20\n",
        "2\t0/10\n1\t0/20\n", "4294967296\t0/10\n", "1\t0/100000000\n", "1\t0/10\nx"}) {
    INFO(content);
    CHECK_FALSE(parse_timeline_history(content));
  }
}
