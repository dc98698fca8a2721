// SPDX-License-Identifier: MIT
#include "replicant/core/model/number_text.hpp"

#include <catch2/catch.hpp>

#include <cstdint>

using namespace replicant;

TEST_CASE("a number is read within the limits of its type", "[model][unit]") {
  CHECK(parse_number<std::uint32_t>("4294967295") == 4294967295U);
  CHECK_FALSE(parse_number<std::uint32_t>("4294967296"));
  CHECK(parse_number<std::int64_t>("-9223372036854775808") == INT64_MIN);
  CHECK(parse_number<std::uint16_t>("007") == 7);
}

TEST_CASE("what is not all of it a number is none", "[model][unit]") {
  for (const auto* text : {"", " 1", "1 ", "1.0", "+1", "0x1", "1kB", "x"})
    CHECK_FALSE(parse_number<std::int32_t>(text));
  CHECK_FALSE(parse_number<std::uint32_t>("-1"));
}
