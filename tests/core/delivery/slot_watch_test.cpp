// SPDX-License-Identifier: MIT
#include "replicant/core/delivery/slot_watch.hpp"

#include <catch2/catch.hpp>

using namespace replicant;

namespace {

constexpr std::uint64_t mib = std::uint64_t{1} << 20U;

slot_standing at(std::uint64_t retained) {
  return {.wal_status = slot_wal_status::extended,
          .retained_bytes = retained,
          .safe_bytes = 1,
          .limit_bytes = 100 * mib};
}

} // namespace

TEST_CASE("a slot is at risk from 70 % of its bound on, acutely from 85 %", "[delivery][unit]") {
  CHECK(judge(at(0)) == slot_risk::none);
  CHECK(judge(at(70 * mib - 1)) == slot_risk::none);
  CHECK(judge(at(70 * mib)) == slot_risk::high);
  CHECK(judge(at(85 * mib - 1)) == slot_risk::high);
  CHECK(judge(at(85 * mib)) == slot_risk::acute);
  CHECK(judge(at(900 * mib)) == slot_risk::acute);
  CHECK(used_percent(at(69 * mib + mib / 2)) == 69U);
}

TEST_CASE("a slot without a bound is at no risk", "[delivery][unit]") {
  auto unlimited = at(std::numeric_limits<std::uint64_t>::max());
  CHECK(judge(unlimited) == slot_risk::acute);
  unlimited.limit_bytes.reset();
  CHECK(judge(unlimited) == slot_risk::none);
  CHECK_FALSE(used_percent(unlimited));
  auto strict = at(1);
  strict.limit_bytes = 0;
  CHECK(judge(strict) == slot_risk::acute);
}

TEST_CASE("a slot whose WAL the server removes is at acute risk, whatever the numbers say",
          "[delivery][unit]") {
  auto one = at(1);
  for (const auto status : {slot_wal_status::unreserved, slot_wal_status::lost}) {
    one.wal_status = status;
    CHECK(judge(one) == slot_risk::acute);
    one.limit_bytes.reset();
    CHECK(judge(one) == slot_risk::acute);
  }
}

TEST_CASE("a threshold is warned of once, and again only after the slot fell below it",
          "[delivery][unit]") {
  slot_watch watch;
  CHECK_FALSE(watch.rises_with(at(69 * mib)));
  CHECK(watch.rises_with(at(70 * mib)));
  CHECK_FALSE(watch.rises_with(at(80 * mib)));
  CHECK(watch.rises_with(at(90 * mib)));
  CHECK_FALSE(watch.rises_with(at(95 * mib)));
  CHECK_FALSE(watch.rises_with(at(75 * mib)));
  CHECK(watch.rises_with(at(85 * mib)));
  CHECK_FALSE(watch.rises_with(at(10 * mib)));
  CHECK(watch.rises_with(at(86 * mib)));
}

TEST_CASE("PostgreSQL's words for the WAL of a slot are known, and others are unknown",
          "[delivery][unit]") {
  for (const auto status : slot_wal_statuses)
    CHECK(slot_wal_status_of(to_string(status)) == status);
  CHECK(slot_wal_status_of("a word of later versions") == slot_wal_status::unknown);
  CHECK(slot_wal_status_of("") == slot_wal_status::unknown);
}
