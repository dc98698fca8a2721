// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/tail/printable.hpp"

#include "replicant/core/values/character.hpp"
#include "replicant/core/values/digits.hpp"

#include <algorithm>
#include <array>

namespace replicant {

namespace {

constexpr std::array blank{
  point_range{0x20, 0x20},     point_range{0xA0, 0xA0},     point_range{0x1680, 0x1680},
  point_range{0x2000, 0x200A}, point_range{0x202F, 0x202F}, point_range{0x205F, 0x205F},
  point_range{0x3000, 0x3000},
};

/// Two columns each. Only the look of a cut line hangs on it.
constexpr std::array wide{
  point_range{0x1100, 0x115F},   point_range{0x2E80, 0xA4CF},   point_range{0xAC00, 0xD7A3},
  point_range{0xF900, 0xFAFF},   point_range{0xFE30, 0xFE6F},   point_range{0xFF00, 0xFF60},
  point_range{0xFFE0, 0xFFE6},   point_range{0x1F300, 0x1F64F}, point_range{0x1F680, 0x1F6FF},
  point_range{0x1F900, 0x1FAFF}, point_range{0x20000, 0x3FFFD},
};

/// Calls `visit` with every character, as visible as `characters` allow, until it returns false.
/// @returns whether it never did.
template <class Visit>
bool each_character(std::string_view text, charset characters, Visit visit) {
  while (!text.empty()) {
    auto one = first_character(text);
    one.visible = one.visible && (characters == charset::utf8 || one.point < 0x80);
    if (!visit(one))
      return false;
    text.remove_prefix(one.bytes.size());
  }
  return true;
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
  const auto alone = one.bytes.size() == 1;
  const auto small = one.point < 0x10000;
  std::string text = alone ? "\\x" : small ? "\\u" : "\\U";
  append_hex(text, alone ? byte : one.point, alone ? 2 : small ? 4 : 8);
  return text;
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
  if (!one.visible) {
    const auto text = escape_of(one);
    return to.add(text, text.size());
  }
  const auto doubled = one.bytes[0] == mark || (escapes && one.bytes[0] == '\\');
  return to.add(one.bytes, columns_of(one.point)) && (!doubled || to.add(one.bytes, 1));
}

/// `text` between two of `mark`, with an E before it when it holds escapes.
std::string quoted(std::string_view text, char mark, charset characters, std::size_t columns) {
  const auto escapes =
    !each_character(text, characters, [](const character& one) { return one.visible; });
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
    return one.visible && !is_in(blank, one.point) &&
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
