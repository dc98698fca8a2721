// SPDX-License-Identifier: MIT
#include "replicant/core/values/character.hpp"

#include "replicant/core/values/utf8.hpp"

#include <array>

namespace replicant {

namespace {

/// Controls, the separators of lines and paragraphs, and what Unicode calls default ignorable: it
/// shows nothing, or changes how its neighbours are shown.
constexpr std::array acting{
  point_range{0x00, 0x1F},       point_range{0x7F, 0x9F},       point_range{0xAD, 0xAD},
  point_range{0x34F, 0x34F},     point_range{0x61C, 0x61C},     point_range{0x115F, 0x1160},
  point_range{0x17B4, 0x17B5},   point_range{0x180B, 0x180F},   point_range{0x200B, 0x200F},
  point_range{0x2028, 0x202E},   point_range{0x2060, 0x206F},   point_range{0x3164, 0x3164},
  point_range{0xFE00, 0xFE0F},   point_range{0xFEFF, 0xFEFF},   point_range{0xFFA0, 0xFFA0},
  point_range{0xFFF0, 0xFFFB},   point_range{0xFFFE, 0xFFFF},   point_range{0x1BCA0, 0x1BCA3},
  point_range{0x1D173, 0x1D17A}, point_range{0xE0000, 0xE0FFF},
};

} // namespace

character first_character(std::string_view text) {
  if (text[0] >= ' ' && text[0] <= '~')
    return {.bytes = text.substr(0, 1), .point = static_cast<char32_t>(text[0]), .visible = true};
  const auto length = utf8_length(text);
  if (length == 0)
    return {.bytes = text.substr(0, 1)};
  const auto bytes = text.substr(0, length);
  const auto point = code_point(bytes);
  return {.bytes = bytes, .point = point, .visible = !is_in(acting, point)};
}

} // namespace replicant
