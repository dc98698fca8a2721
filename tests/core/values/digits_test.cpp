// SPDX-License-Identifier: MIT
#include "replicant/core/values/digits.hpp"

#include <catch2/catch.hpp>

using namespace replicant;

namespace {

template <class... Arguments>
std::string hex(Arguments... arguments) {
  std::string text = "x";
  append_hex(text, arguments...);
  return text;
}

} // namespace

TEST_CASE("a number has as many hex digits as it is given room", "[model][unit]") {
  CHECK(hex(0xABU, 2U) == "xab");
  CHECK(hex(0xABU, 4U) == "x00ab");
  CHECK(hex(0xABCU, 2U) == "xbc");
  CHECK(hex(UINT64_MAX, 16U) == "xffffffffffffffff");
  CHECK(hex(0x16E3778U, 16U, letter_case::upper) == "x00000000016E3778");
}

TEST_CASE("decimals are exact at both ends", "[model][unit]") {
  std::string out;
  append_decimal(out, 0);
  append_decimal(out.append(" "), 18446744073709551615U);
  CHECK(out == "0 18446744073709551615");
}
