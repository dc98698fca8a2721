// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

namespace replicant {

/// The length of the character that `text`, which is not empty, begins with; 0 when it is not UTF-8
/// (overlong forms, surrogates and positions beyond U+10FFFF are not).
[[nodiscard]] constexpr std::size_t utf8_length(std::string_view text) {
  const auto byte_at = [text](std::size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
  };
  const auto continues = [byte_at](std::size_t at) { return (byte_at(at) & 0xC0U) == 0x80; };
  const auto lead = byte_at(0);
  const auto second = byte_at(1);
  if (lead < 0x80)
    return 1;
  if (!continues(1))
    return 0;
  if (lead >= 0xC2 && lead <= 0xDF)
    return 2;
  if (!continues(2))
    return 0;
  if (lead == 0xE0)
    return second >= 0xA0 ? 3 : 0;
  if (lead == 0xED)
    return second <= 0x9F ? 3 : 0;
  if (lead >= 0xE1 && lead <= 0xEF)
    return 3;
  if (!continues(3))
    return 0;
  if (lead == 0xF0)
    return second >= 0x90 ? 4 : 0;
  if (lead == 0xF4)
    return second <= 0x8F ? 4 : 0;
  return lead >= 0xF1 && lead <= 0xF3 ? 4 : 0;
}

/// The code point of `character`, which is one whole character of UTF-8.
[[nodiscard]] constexpr char32_t code_point(std::string_view character) {
  if (character.size() == 1)
    return static_cast<unsigned char>(character[0]);
  // The lead byte carries as many fewer bits as the character is long.
  char32_t point = static_cast<unsigned char>(character[0]) & (0x7FU >> character.size());
  for (const auto byte : character.substr(1))
    point = point << 6U | (static_cast<unsigned char>(byte) & 0x3FU);
  return point;
}

} // namespace replicant
