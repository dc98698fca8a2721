// SPDX-License-Identifier: MIT
#include "replicant/core/delivery/watermark.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <limits>

using namespace replicant;

TEST_CASE("a watermark through a commit covers that commit and nothing later", "[delivery][unit]") {
  const auto mark = watermark::through(lsn{100});
  CHECK(mark.covers(lsn{99}));
  CHECK(mark.covers(lsn{100}));
  CHECK_FALSE(mark.covers(lsn{101}));
}

TEST_CASE("an exclusive position does not cover the commit that starts exactly there",
          "[delivery][unit]") {
  const auto mark = watermark::before(lsn{100});
  CHECK(mark.covers(lsn{99}));
  CHECK_FALSE(mark.covers(lsn{100}));
}

TEST_CASE("what is acknowledged is the first byte that is not promised", "[delivery][unit]") {
  CHECK(watermark::through(lsn{100}).acknowledged() == lsn{101});
  // A keepalive's wal_end is confirmed as it was told.
  CHECK(watermark::before(lsn{100}).acknowledged() == lsn{100});
}

TEST_CASE("a slot is ahead only when it passed what would be acknowledged", "[delivery][unit]") {
  const auto mark = watermark::through(lsn{100});
  CHECK_FALSE(mark.overtaken_by(lsn{100}));
  CHECK_FALSE(mark.overtaken_by(lsn{101}));
  CHECK(mark.overtaken_by(lsn{102}));
}

TEST_CASE("a stretch of WAL holds a promise whose last record starts in it", "[delivery][unit]") {
  CHECK(watermark::through(lsn{100}).ends_before(lsn{101}));
  CHECK_FALSE(watermark::through(lsn{100}).ends_before(lsn{100}));
  CHECK(watermark::before(lsn{100}).ends_before(lsn{100}));
  CHECK_FALSE(watermark::before(lsn{101}).ends_before(lsn{100}));
}

TEST_CASE("a watermark never goes back and never wraps", "[delivery][unit]") {
  auto mark = watermark::through(lsn{100});
  mark.advance(watermark::through(lsn{50}));
  CHECK(mark == watermark::through(lsn{100}));
  mark.advance(watermark::before(lsn{200}));
  CHECK(mark == watermark::through(lsn{199}));
  CHECK(watermark::before(lsn{0}) == watermark{});
  constexpr auto last = std::numeric_limits<std::uint64_t>::max();
  CHECK(watermark::through(lsn{last}).acknowledged() == lsn{last});
}
