// SPDX-License-Identifier: MIT
#include "replicant/core/values/utf8.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace replicant;

namespace {

/// By the definition: how many bits a position needs.
std::string encoded(char32_t point) {
  const auto tail = [point](unsigned shift) {
    return static_cast<char>(0x80U | (point >> shift & 0x3FU));
  };
  if (point < 0x80)
    return {static_cast<char>(point)};
  if (point < 0x800)
    return {static_cast<char>(0xC0U | point >> 6U), tail(0)};
  if (point < 0x10000)
    return {static_cast<char>(0xE0U | point >> 12U), tail(6), tail(0)};
  return {static_cast<char>(0xF0U | point >> 18U), tail(12), tail(6), tail(0)};
}

bool is_surrogate(char32_t point) {
  return point >= 0xD800 && point < 0xE000;
}

} // namespace

TEST_CASE("every character is recognised, and no position that is none", "[model][unit]") {
  std::size_t wrong = 0;
  for (char32_t point = 0; point < 0x120000; ++point) {
    const auto text = encoded(point) + "\x80";
    const auto length = utf8_length(text);
    const auto right = is_surrogate(point) || point > 0x10FFFF
                         ? length == 0
                         : length == text.size() - 1 && code_point(text.substr(0, length)) == point;
    wrong += right ? 0 : 1;
  }
  CHECK(wrong == 0);
}

TEST_CASE("what is cut short, overlong or out of place is no character", "[model][unit]") {
  for (const auto* text :
       {"\x80", "\xC3", "\xC3(", "\xC0\xAF", "\xC1\xBF", "\xE0\x9F\xBF", "\xE2\x82", "\xE2\x28\xA1",
        "\xF0\x8F\xBF\xBF", "\xF0\x9F\x98", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF"})
    CHECK(utf8_length(text) == 0);
}
