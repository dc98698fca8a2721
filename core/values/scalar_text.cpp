// SPDX-License-Identifier: MIT
#include "replicant/core/values/scalar_text.hpp"

#include "replicant/core/values/text_cursor.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>

namespace replicant {

namespace {

/// @returns the digit's value, 16 or more when it is none.
unsigned hex_digit(char c) {
  if (is_digit(c))
    return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f')
    return static_cast<unsigned>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F')
    return static_cast<unsigned>(c - 'A') + 10;
  return 16;
}

/// The byte that two hex digits at the start of `text` stand for.
std::optional<unsigned char> hex_byte(std::string_view text) {
  if (text.size() < 2)
    return std::nullopt;
  const auto high = hex_digit(text[0]);
  const auto low = hex_digit(text[1]);
  if (high > 15 || low > 15)
    return std::nullopt;
  return static_cast<unsigned char>(high << 4U | low);
}

/// The byte that three octal digits at the start of `text` stand for.
std::optional<char> octal_byte(std::string_view text) {
  if (text.size() < 3 || text[0] > '3')
    return std::nullopt;
  unsigned found = 0;
  for (const auto c : text.substr(0, 3)) {
    if (c < '0' || c > '7')
      return std::nullopt;
    found = found << 3U | static_cast<unsigned>(c - '0');
  }
  return static_cast<char>(found);
}

bool append_hex_bytea(std::string& out, std::string_view digits) {
  if (digits.size() % 2 != 0)
    return false;
  out.reserve(out.size() + digits.size() / 2);
  for (; !digits.empty(); digits.remove_prefix(2)) {
    const auto byte = hex_byte(digits);
    if (!byte)
      return false;
    out += static_cast<char>(*byte);
  }
  return true;
}

bool append_escaped_bytea(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const auto plain = std::min(text.find('\\'), text.size());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty())
      return true;
    if (text.starts_with(R"(\\)")) {
      out += '\\';
      text.remove_prefix(2);
    } else if (const auto byte = octal_byte(text.substr(1))) {
      out += *byte;
      text.remove_prefix(4);
    } else {
      return false;
    }
  }
  return true;
}

/// Digits before the point, in groups or without. @returns nothing when they are too many.
std::optional<std::uint64_t> read_groups(text_cursor& in) {
  const auto before = in.left();
  auto found = in.number(1, 17);
  auto digits = before - in.left();
  for (const auto first = digits; in.take(","); digits += 3) {
    if (first > 3 || digits > 14)
      return std::nullopt;
    found = found * 1000 + in.number(3, 3);
  }
  return found;
}

} // namespace

std::optional<bool> parse_bool(std::string_view text) {
  if (text == "t" || text == "true")
    return true;
  if (text == "f" || text == "false")
    return false;
  return std::nullopt;
}

template <std::floating_point Number>
std::optional<Number> parse_float(std::string_view text) {
  constexpr auto infinity = std::numeric_limits<Number>::infinity();
  if (text == "NaN")
    return std::numeric_limits<Number>::quiet_NaN();
  if (text == "Infinity")
    return infinity;
  if (text == "-Infinity")
    return -infinity;
  // The library knows more words for them than PostgreSQL.
  const auto digits = text.starts_with('-') ? text.substr(1) : text;
  if (digits.empty() || !is_digit(digits.front()))
    return std::nullopt;
  Number found{};
  const auto* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, found);
  return error == std::errc{} && stop == end ? std::optional{found} : std::nullopt;
}

template std::optional<float> parse_float(std::string_view);
template std::optional<double> parse_float(std::string_view);

std::optional<std::int64_t> parse_money(std::string_view text) {
  text_cursor in{text};
  const auto negative = in.take("-");
  static_cast<void>(in.take("$"));
  const auto whole = read_groups(in);
  const auto hundredths = in.take(".") ? in.number(2, 2) : 0;
  if (!whole || !in.finished())
    return std::nullopt;
  // At most 17 digits and these two: 64 bits without a sign hold it.
  const auto size = *whole * 100 + hundredths;
  const auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (size > most + (negative ? 1 : 0))
    return std::nullopt;
  return static_cast<std::int64_t>(negative ? 0 - size : size);
}

std::optional<char> parse_char(std::string_view text) {
  if (text.empty())
    return '\0';
  if (text.size() == 1)
    return text.front();
  if (text.size() == 4 && text.front() == '\\')
    return octal_byte(text.substr(1));
  return std::nullopt;
}

std::optional<uuid> parse_uuid(std::string_view text) {
  constexpr std::size_t length = 36;
  if (text.size() != length)
    return std::nullopt;
  uuid found{};
  for (std::size_t index = 0; index < found.size(); ++index) {
    if (index == 4 || index == 6 || index == 8 || index == 10) {
      if (text.front() != '-')
        return std::nullopt;
      text.remove_prefix(1);
    }
    const auto byte = hex_byte(text);
    if (!byte)
      return std::nullopt;
    found.at(index) = std::byte{*byte};
    text.remove_prefix(2);
  }
  return found;
}

bool append_bytea(std::string& out, std::string_view text) {
  // The other dialect doubles a backslash of the value, so that its text never begins like this.
  return text.starts_with(R"(\x)") ? append_hex_bytea(out, text.substr(2))
                                   : append_escaped_bytea(out, text);
}

} // namespace replicant
