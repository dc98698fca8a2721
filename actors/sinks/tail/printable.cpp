// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/tail/printable.hpp"

#include "replicant/core/model/utf8.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace replicant {

namespace {

constexpr auto hex_digits = std::string_view{"0123456789abcdef"};

struct span_of_points {
  char32_t first;
  char32_t last;
};

/// Controls, the separators of lines and paragraphs, and what Unicode calls default ignorable: it
/// shows nothing, or changes how its neighbours are shown.
constexpr std::array acting{
  span_of_points{0x00, 0x1F},       span_of_points{0x7F, 0x9F},
  span_of_points{0xAD, 0xAD},       span_of_points{0x34F, 0x34F},
  span_of_points{0x61C, 0x61C},     span_of_points{0x115F, 0x1160},
  span_of_points{0x17B4, 0x17B5},   span_of_points{0x180B, 0x180F},
  span_of_points{0x200B, 0x200F},   span_of_points{0x2028, 0x202E},
  span_of_points{0x2060, 0x206F},   span_of_points{0x3164, 0x3164},
  span_of_points{0xFE00, 0xFE0F},   span_of_points{0xFEFF, 0xFEFF},
  span_of_points{0xFFA0, 0xFFA0},   span_of_points{0xFFF0, 0xFFFB},
  span_of_points{0xFFFE, 0xFFFF},   span_of_points{0x1BCA0, 0x1BCA3},
  span_of_points{0x1D173, 0x1D17A}, span_of_points{0xE0000, 0xE0FFF},
};

constexpr std::array blank{
  span_of_points{0x20, 0x20},     span_of_points{0xA0, 0xA0},     span_of_points{0x1680, 0x1680},
  span_of_points{0x2000, 0x200A}, span_of_points{0x202F, 0x202F}, span_of_points{0x205F, 0x205F},
  span_of_points{0x3000, 0x3000},
};

/// Two columns each. Only the look of a cut line hangs on it.
constexpr std::array wide{
  span_of_points{0x1100, 0x115F},   span_of_points{0x2E80, 0xA4CF},
  span_of_points{0xAC00, 0xD7A3},   span_of_points{0xF900, 0xFAFF},
  span_of_points{0xFE30, 0xFE6F},   span_of_points{0xFF00, 0xFF60},
  span_of_points{0xFFE0, 0xFFE6},   span_of_points{0x1F300, 0x1F64F},
  span_of_points{0x1F680, 0x1F6FF}, span_of_points{0x1F900, 0x1FAFF},
  span_of_points{0x20000, 0x3FFFD},
};

/// `spans` stand in order.
template <std::size_t Size>
bool is_in(const std::array<span_of_points, Size>& spans, char32_t point) {
  const auto* const found =
    std::ranges::find_if(spans, [point](const auto& one) { return point <= one.last; });
  return found != spans.end() && point >= found->first;
}

/// One character of a text, or one byte that belongs to none.
struct character {
  std::string_view bytes;
  char32_t point = 0;
  bool shown = false; ///< As it is; otherwise it has to be escaped.
};

character first_of(std::string_view text, charset characters) {
  if (text[0] >= ' ' && text[0] <= '~')
    return {.bytes = text.substr(0, 1), .point = static_cast<char32_t>(text[0]), .shown = true};
  const auto length = utf8_length(text);
  if (length == 0)
    return {.bytes = text.substr(0, 1)};
  const auto bytes = text.substr(0, length);
  const auto point = code_point(bytes);
  const auto known = characters == charset::utf8 || point < 0x80;
  return {.bytes = bytes, .point = point, .shown = known && !is_in(acting, point)};
}

/// Calls `visit` with every character until it returns false. @returns whether it never did.
template <class Visit>
bool each_character(std::string_view text, charset characters, Visit visit) {
  while (!text.empty()) {
    const auto one = first_of(text, characters);
    if (!visit(one))
      return false;
    text.remove_prefix(one.bytes.size());
  }
  return true;
}

std::string hex(std::uint32_t number, int digits) {
  std::string text;
  for (auto shift = 4 * (digits - 1); shift >= 0; shift -= 4)
    text.push_back(hex_digits[number >> static_cast<unsigned>(shift) & 0xFU]);
  return text;
}

/// As PostgreSQL reads it back in E'...'.
std::string escape_of(const character& one) {
  const auto byte = static_cast<unsigned char>(one.bytes[0]);
  switch (byte) {
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    default: break;
  }
  if (one.bytes.size() == 1)
    return "\\x" + hex(byte, 2);
  return one.point < 0x10000 ? "\\u" + hex(one.point, 4) : "\\U" + hex(one.point, 8);
}

std::size_t columns_of(char32_t point) {
  return is_in(wide, point) ? 2 : 1;
}

/// Collects text until there is no more room.
class bounded_text {
public:
  bounded_text(std::size_t columns, charset characters)
    : room_{columns},
      mark_{cut_mark(characters)},
      mark_columns_{characters == charset::utf8 ? 1 : mark_.size()} {}

  /// @returns whether it fitted.
  bool add(std::string_view text, std::size_t columns) {
    if (columns > room_)
      return false;
    room_ -= columns;
    text_.append(text);
    if (room_ >= mark_columns_)
      keep_ = text_.size();
    return true;
  }

  [[nodiscard]] std::string whole() && { return std::move(text_); }

  [[nodiscard]] std::string cut() && {
    text_.resize(keep_);
    return std::move(text_.append(mark_));
  }

private:
  std::size_t room_;
  std::string_view mark_;
  std::size_t mark_columns_;
  std::size_t keep_ = 0; ///< Behind this the mark still fits.
  std::string text_;
};

bool add_character(bounded_text& to, const character& one, char mark, bool escapes) {
  if (!one.shown) {
    const auto text = escape_of(one);
    return to.add(text, text.size());
  }
  const auto doubled = one.bytes[0] == mark || (escapes && one.bytes[0] == '\\');
  return to.add(one.bytes, columns_of(one.point)) && (!doubled || to.add(one.bytes, 1));
}

/// `text` between two of `mark`, with an E before it when it holds escapes.
std::string quoted(std::string_view text, char mark, charset characters, std::size_t columns) {
  const auto escapes =
    !each_character(text, characters, [](const character& one) { return one.shown; });
  const std::string_view quote{&mark, 1};
  bounded_text out{columns, characters};
  const auto fits =
    (!escapes || out.add("E", 1)) && out.add(quote, 1) &&
    each_character(text, characters,
                   [&](const character& one) { return add_character(out, one, mark, escapes); }) &&
    out.add(quote, 1);
  return fits ? std::move(out).whole() : std::move(out).cut();
}

/// Whether every character shows itself and has no meaning between fields.
bool is_plain(std::string_view text, std::string_view special, charset characters) {
  return each_character(text, characters, [&](const character& one) {
    return one.shown && !is_in(blank, one.point) &&
           special.find(one.bytes) == std::string_view::npos;
  });
}

bool says_null(std::string_view text) {
  return std::ranges::equal(
    text, std::string_view{"null"},
    [](unsigned char c, unsigned char lower) { return (c | 0x20U) == lower; });
}

bool stands_unquoted(std::string_view text, charset characters) {
  const auto taken = text.empty() || says_null(text) || text == "(unchanged)" ||
                     text.find("->") != std::string_view::npos ||
                     text.ends_with(cut_mark(charset::ascii)) ||
                     text.ends_with(cut_mark(charset::utf8));
  return !taken && is_plain(text, "'\"", characters);
}

} // namespace

std::string_view cut_mark(charset characters) {
  return characters == charset::utf8 ? "\u2026" : "...";
}

std::string printable_value(std::string_view text, charset characters, std::size_t columns) {
  if (!stands_unquoted(text, characters))
    return quoted(text, '\'', characters, columns);
  // No character takes more columns than bytes.
  if (text.size() <= columns)
    return std::string{text};
  bounded_text out{columns, characters};
  const auto fits = each_character(text, characters, [&](const character& one) {
    return out.add(one.bytes, columns_of(one.point));
  });
  return fits ? std::move(out).whole() : std::move(out).cut();
}

std::string printable_name(std::string_view name, charset characters) {
  const auto plain = !name.empty() && is_plain(name, "'\"=.,:()[]\\<>", characters);
  return plain ? std::string{name} : quoted(name, '"', characters, any_width);
}

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  each_character(text, charset::utf8, [&](const character& one) {
    columns += columns_of(one.point);
    return true;
  });
  return columns;
}

} // namespace replicant
