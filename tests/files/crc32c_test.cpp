// SPDX-License-Identifier: MIT
#include "replicant/actors/files/crc32c.hpp"

#include <catch2/catch.hpp>

using namespace replicant;

TEST_CASE("CRC-32C has its standard check value", "[files][unit]") {
  crc32c sum;
  CHECK(sum.value() == 0);
  sum.add("1234");
  sum.add("56789");
  CHECK(sum.value() == 0xE3069283);
}
