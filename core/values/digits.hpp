// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace replicant {

/// Appends `number` in decimal.
template <std::integral Number>
void append_decimal(std::string& out, Number number) {
  std::array<char, std::numeric_limits<Number>::digits10 + 2> text{};
  out.append(text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr);
}

/// Appends `number` in decimal, filled up with leading zeros to `width` digits.
void append_padded(std::string& out, std::uint64_t number, std::size_t width);

enum class letter_case : std::uint8_t {
  lower,
  upper,
};

/// Appends the last `width` hex digits of `number`.
void append_hex(std::string& out, std::uint64_t number, std::size_t width,
                letter_case letters = letter_case::lower);

/// Appends two lower-case hex digits for each byte.
void append_hex(std::string& out, std::string_view bytes);

} // namespace replicant
