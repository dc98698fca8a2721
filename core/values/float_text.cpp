// SPDX-License-Identifier: MIT
#include "replicant/core/values/float_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

namespace replicant {

namespace {

__extension__ using wide = unsigned __int128;

/// From here on the exponent form is used.
template <class Number>
constexpr Number exponent_form = 1e15;
template <>
constexpr float exponent_form<float> = 1e6F;

/// Room for sign, digits, point and exponent.
using text_buffer = std::array<char, 40>;

/// A number taken from its exponent form: significand * 10^power.
struct decimal {
  std::uint64_t significand = 0;
  int power = 0;
};

decimal read(std::string_view text) {
  decimal value;
  const auto exponent_at = text.find('e');
  bool fraction = false;
  for (const auto c : text.substr(0, exponent_at))
    if (c == '.') {
      fraction = true;
    } else if (c != '-') {
      value.significand = value.significand * 10 + static_cast<std::uint64_t>(c - '0');
      value.power -= fraction ? 1 : 0;
    }
  auto exponent = text.substr(exponent_at + 1);
  exponent.remove_prefix(exponent.starts_with('+') ? 1 : 0);
  int shift = 0;
  std::from_chars(exponent.data(), exponent.data() + exponent.size(), shift);
  value.power += shift;
  return value;
}

/// Whether `text` lies exactly half way between `number` and a neighbour: it then reads back as
/// `number` only because ties go to even significands.
template <class Number>
bool is_tie(std::string_view text, Number number) {
  // Neighbours are 2^spacing apart and ties are odd multiples of half of that. A tie has one bit
  // more than a number has, which leaves no room for more than 23 factors of 5.
  const auto spacing = std::ilogb(number) - (std::numeric_limits<Number>::digits - 1);
  const auto [significand, power] = read(text);
  if (spacing < 1 || power < 0 || power > 23)
    return false;
  wide exact = significand; // Modulo 2^128, which keeps every bit that is looked at.
  for (int i = 0; i < power; ++i)
    exact *= 10;
  const auto distance = wide{1} << static_cast<unsigned>(spacing);
  return (exact & (distance - 1)) == distance / 2;
}

template <class Number>
bool reads_back(std::string_view text, Number number) {
  Number found{};
  std::from_chars(text.data(), text.data() + text.size(), found);
  return found == number;
}

template <class Number>
void append_exponent_form(std::string& out, Number number) {
  text_buffer buffer{};
  const auto write = [&](auto... precision) {
    const auto* const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number,
                                          std::chars_format::scientific, precision...)
                              .ptr;
    return std::string_view{buffer.data(), end};
  };
  auto text = write();
  // PostgreSQL, unlike the standard library, spends more digits rather than rely on how a reader
  // breaks ties.
  if (is_tie(text, number))
    for (int precision = 1; precision < std::numeric_limits<Number>::max_digits10; ++precision) {
      text = write(precision);
      if (reads_back(text, number) && !is_tie(text, number))
        break;
    }
  out += text;
}

template <class Number>
void append_shortest(std::string& out, Number number) {
  const auto size = std::abs(number);
  if (std::isnan(number)) {
    out += "NaN";
  } else if (std::isinf(number)) {
    out += number < 0 ? "-Infinity" : "Infinity";
  } else if (size != 0 && (size < Number(1e-4) || size >= exponent_form<Number>)) {
    append_exponent_form(out, number);
  } else {
    text_buffer buffer{};
    out.append(buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), number,
                                            std::chars_format::fixed)
                                .ptr);
  }
}

} // namespace

void append_float(std::string& out, double number) {
  append_shortest(out, number);
}

void append_float(std::string& out, float number) {
  append_shortest(out, number);
}

} // namespace replicant
