// SPDX-License-Identifier: MIT
#include "replicant/actors/postgres/slot_inquiry.hpp"

#include <catch2/catch.hpp>

using namespace replicant;
using namespace replicant::postgres;

namespace {

/// As the server would answer with this as what is safe.
std::optional<slot_standing> with_safe(const rows::cell& safe) {
  return slot_standing_of(
    rows{{"wal_status", "safe", "retained", "limit"}, {"reserved", safe, "4096", std::nullopt}});
}

} // namespace

TEST_CASE("sizes of a slot are whole numbers or not told", "[slot][unit]") {
  const auto told = with_safe("8192");
  REQUIRE(told);
  CHECK(told->retained_bytes == 4096);
  CHECK(told->safe_bytes == 8192U);
  CHECK_FALSE(told->limit_bytes);
  CHECK(with_safe("-1").value().safe_bytes == 0U);
  for (const auto* other : {"", "8 kB", "8192.5", "x"})
    CHECK_FALSE(with_safe(other).value().safe_bytes);
}
