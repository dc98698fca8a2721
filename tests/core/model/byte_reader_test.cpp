// SPDX-License-Identifier: MIT
#include "replicant/core/model/byte_reader.hpp"

#include <catch2/catch.hpp>

#include <limits>
#include <string_view>

using namespace replicant;
using namespace std::string_view_literals;

TEST_CASE("numbers are read in network order", "[model][unit]") {
  byte_reader in{"\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f"sv};
  CHECK(in.u8() == 0x01);
  CHECK(in.u16() == 0x0203);
  CHECK(in.u32() == 0x04050607);
  CHECK(in.u64() == 0x08090a0b0c0d0e0f);
  CHECK(in.finished());
}

TEST_CASE("signed numbers keep their sign", "[model][unit]") {
  byte_reader in{"\xff\xff\xff\xfe\x80\0\0\0\0\0\0\0"sv};
  CHECK(in.i32() == -2);
  CHECK(in.i64() == std::numeric_limits<std::int64_t>::min());
  CHECK(in.finished());
}

TEST_CASE("text ends before its NUL, bytes may hold one", "[model][unit]") {
  byte_reader in{"ab\0\0c\0d"sv};
  CHECK(in.text() == "ab");
  CHECK(in.text().empty());
  CHECK(in.bytes(2) == "c\0"sv);
  CHECK(in.left() == 1);
  CHECK(in.rest() == "d");
  CHECK(in.finished());
}

TEST_CASE("text without a NUL fails the reader", "[model][unit]") {
  byte_reader in{"abc"sv};
  CHECK(in.text().empty());
  CHECK(in.failed());
  CHECK(in.left() == 0);
}

TEST_CASE("a read that does not fit fails for good and gives zero", "[model][unit]") {
  byte_reader in{"\xff\xff\xff"sv};
  CHECK(in.u32() == 0);
  CHECK(in.failed());
  CHECK(in.u8() == 0);
  CHECK(in.u16() == 0);
  CHECK(in.u64() == 0);
  CHECK(in.bytes(1).empty());
  CHECK(in.rest().empty());
  CHECK_FALSE(in.finished());
}

TEST_CASE("a count beyond all memory is only a failed read", "[model][unit]") {
  byte_reader in{"abc"sv};
  CHECK(in.bytes(std::numeric_limits<std::size_t>::max()).empty());
  CHECK(in.failed());
}

TEST_CASE("leftovers and a caller's veto keep a reader from being finished", "[model][unit]") {
  byte_reader in{"ab"sv};
  CHECK(in.u8() == 'a');
  CHECK_FALSE(in.finished());
  CHECK(in.u8() == 'b');
  CHECK(in.finished());
  in.fail();
  CHECK_FALSE(in.finished());
}

TEST_CASE("nothing at all is a finished reader that cannot be read", "[model][unit]") {
  byte_reader in{std::string_view{}};
  CHECK(in.finished());
  CHECK(in.bytes(0).empty());
  CHECK(in.finished());
  CHECK(in.text().empty());
  CHECK(in.failed());
}
