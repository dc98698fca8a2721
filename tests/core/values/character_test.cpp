// SPDX-License-Identifier: MIT
#include "replicant/core/values/character.hpp"

#include <catch2/catch.hpp>

using namespace replicant;

TEST_CASE("a character is visible when it shows itself and nothing else", "[model][unit]") {
  for (const auto* shown : {"a", "~", " ", "\u00e9", "\u65e5", "\U0001F600", "\u00a0"}) {
    INFO(shown);
    const auto text = std::string{shown} + "b";
    const auto one = first_character(text);
    CHECK(one.bytes == shown);
    CHECK(one.visible);
  }
  // ESC, DEL, CSI of one character, a soft hyphen, turns of the direction, invisible ones.
  for (const auto* acting : {"\x1b", "\x7f", "\u0085", "\u009b", "\u00ad", "\u061c", "\u200b",
                             "\u200f", "\u2028", "\u202e", "\u2066", "\ufeff", "\U000E0041"}) {
    const auto text = std::string{acting} + "b";
    const auto one = first_character(text);
    INFO(static_cast<std::uint32_t>(one.point));
    CHECK(one.bytes == acting);
    CHECK_FALSE(one.visible);
  }
}

TEST_CASE("a byte that belongs to no character stands alone", "[model][unit]") {
  const auto one = first_character("\xe9t\xe9");
  CHECK(one.bytes == "\xe9");
  CHECK(one.point == 0);
  CHECK_FALSE(one.visible);
}
