// SPDX-License-Identifier: MIT
#include "replicant/core/values/digits.hpp"

namespace replicant {

namespace {

constexpr std::string_view lower_digits = "0123456789abcdef";
constexpr std::string_view upper_digits = "0123456789ABCDEF";

} // namespace

void append_padded(std::string& out, std::uint64_t number, std::size_t width) {
  const auto start = out.size();
  append_decimal(out, number);
  if (const auto length = out.size() - start; length < width)
    out.insert(start, width - length, '0');
}

void append_hex(std::string& out, std::uint64_t number, std::size_t width, letter_case letters) {
  const auto digits = letters == letter_case::lower ? lower_digits : upper_digits;
  const auto start = out.size();
  out.resize(start + width);
  for (auto at = out.size(); at-- > start; number >>= 4U)
    out[at] = digits[number & 0xFU];
}

void append_hex(std::string& out, std::string_view bytes) {
  auto at = out.size();
  out.resize(at + 2 * bytes.size());
  for (const auto byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    out[at++] = lower_digits[value >> 4U];
    out[at++] = lower_digits[value & 0xFU];
  }
}

} // namespace replicant
