// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace replicant {

/// Which characters the reader of a text takes for what they are.
enum class charset : std::uint8_t {
  ascii, ///< Anything else might be a control character to it.
  utf8,
};

/// What a text is written for.
struct text_style {
  charset characters = charset::ascii;
  bool coloured = false;
  std::size_t width = 0; ///< Columns of a terminal; 0: no terminal, lines have no end.
};

enum class tint : std::uint8_t {
  none,
  strong,
  faint,
  added,
  changed,
  removed,
  emptied,
  warning,
};

/// Appends `text`, coloured when the style has colours.
void append_tinted(std::string& out, const text_style& style, tint with, std::string_view text);

} // namespace replicant
