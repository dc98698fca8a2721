// SPDX-License-Identifier: MIT
#include "replicant/core/model/lsn.hpp"

#include <catch2/catch.hpp>

using namespace replicant;

TEST_CASE("a position is written as PostgreSQL writes it", "[model][unit]") {
  CHECK(to_string(lsn{}) == "0/0");
  CHECK(to_string(lsn{0x16E3778}) == "0/16E3778");
  CHECK(to_string(lsn{0xFFFFFFFFFFFFFFFF}) == "FFFFFFFF/FFFFFFFF");
}

TEST_CASE("a position is read back from its text and from nothing else", "[model][unit]") {
  CHECK(parse_lsn("0/16e3778") == lsn{0x16E3778});
  CHECK(parse_lsn("A/0") == lsn{std::uint64_t{0xA} << 32});
  for (const auto* text :
       {"", "/", "1", "1/", "/1", "g/1", "1/2/3", " 1/2", "1/2 ", "100000000/0", "-1/2"})
    CHECK_FALSE(parse_lsn(text));
}

TEST_CASE("the distance between positions never goes below zero", "[model][unit]") {
  CHECK(wal_bytes_between(lsn{10}, lsn{25}) == 15);
  CHECK(wal_bytes_between(lsn{25}, lsn{10}) == 0);
}
