// SPDX-License-Identifier: MIT
#include "replicant/core/model/timestamp.hpp"

#include <catch2/catch.hpp>

using namespace replicant;

TEST_CASE("a moment is written in ISO 8601 with microseconds in UTC", "[model][unit]") {
  CHECK(to_string(timestamp{0}) == "2000-01-01T00:00:00.000000Z");
  CHECK(to_string(timestamp{837'338'400'123'456}) == "2026-07-14T10:00:00.123456Z");
  CHECK(to_string(timestamp{-1}) == "1999-12-31T23:59:59.999999Z");
}

TEST_CASE("a moment is read back, and nothing else is", "[model][unit]") {
  for (const std::int64_t moment : {0LL, -1LL, 837'338'400'123'456LL}) {
    const auto found = parse_timestamp(to_string(timestamp{moment}));
    REQUIRE(found);
    CHECK(found->microseconds == moment);
  }
  for (const auto* wrong : {"", "2026-07-14", "2026-13-14T10:00:00.123456Z",
                            "2026-07-14T10:00:00.12345Z", "2026-07-14T10:00:60.123456Z",
                            "2026-07-14T10:00:00.123456Z ", "2026-07-14 10:00:00.123456Z"})
    CHECK_FALSE(parse_timestamp(wrong));
}

TEST_CASE("the clock's epoch becomes PostgreSQL's", "[model][unit]") {
  CHECK(to_timestamp(std::chrono::sys_days{std::chrono::year{2000} / 1 / 1}).microseconds == 0);
}
