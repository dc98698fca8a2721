// SPDX-License-Identifier: MIT
#include "replicant/core/values/binary_network.hpp"

#include "replicant/core/values/digits.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace replicant {

namespace {

// PostgreSQL's own numbers of the address families, the same on every system.
constexpr std::uint8_t family_4 = 2;
constexpr std::uint8_t family_6 = 3;
constexpr std::size_t size_4 = 4;
constexpr std::size_t size_6 = 16;
constexpr std::size_t word_count = size_6 / 2;

using address_words = std::array<std::uint16_t, word_count>;

/// Some of the words of an address, from `begin` to before `end`.
struct word_run {
  std::size_t begin = word_count;
  std::size_t end = word_count;

  [[nodiscard]] std::size_t length() const { return end - begin; }
};

/// The first of the longest runs of zeros; none when that is a single word.
word_run longest_zeros(const address_words& words) {
  word_run best;
  for (std::size_t begin = 0; begin < word_count; ++begin) {
    const auto* const end =
      std::find_if(words.begin() + begin, words.end(), [](auto word) { return word != 0; });
    const word_run run{begin, static_cast<std::size_t>(end - words.begin())};
    if (run.length() > std::max<std::size_t>(best.length(), 1))
      best = run;
  }
  return best;
}

/// Whether the last two words are an IPv4 address, written as one: IPv4-mapped, or IPv4-compatible
/// with more than 16 bits.
bool ends_in_address_4(const address_words& words, const word_run& zeros) {
  return zeros.begin == 0 && (zeros.length() == 6 || (zeros.length() == 5 && words[5] == 0xFFFF));
}

void append_address_4(std::string& out, std::string_view bytes) {
  for (std::size_t index = 0; index < bytes.size(); ++index) {
    if (index != 0)
      out += '.';
    append_decimal(out, static_cast<std::uint8_t>(bytes[index]));
  }
}

/// Appends words in hexadecimal, separated by colons.
void append_words(std::string& out, std::span<const std::uint16_t> words) {
  for (std::size_t index = 0; index < words.size(); ++index) {
    if (index != 0)
      out += ':';
    std::array<char, 4> text{};
    out.append(text.data(),
               std::to_chars(text.data(), text.data() + text.size(), words[index], 16).ptr);
  }
}

void append_address_6(std::string& out, std::string_view bytes) {
  address_words words{};
  byte_reader in{bytes};
  std::ranges::generate(words, [&in] { return in.u16(); });
  const auto zeros = longest_zeros(words);
  const auto end = ends_in_address_4(words, zeros) ? word_count - 2 : word_count;
  const std::span all{words};
  append_words(out, all.first(std::min(zeros.begin, end)));
  if (zeros.length() != 0) {
    out += "::";
    if (zeros.end < end)
      append_words(out, all.subspan(zeros.end, end - zeros.end));
  }
  if (end == word_count)
    return;
  if (out.back() != ':')
    out += ':';
  append_address_4(out, bytes.substr(bytes.size() - size_4));
}

/// Appends `count` bytes in hexadecimal, separated by colons.
void print_hardware_address(std::string& out, byte_reader& in, std::size_t count) {
  for (std::size_t index = 0; index < count; ++index) {
    if (index != 0)
      out += ':';
    append_hex(out, in.bytes(1));
  }
}

} // namespace

void print_inet(std::string& out, byte_reader& in) {
  const auto family = in.u8();
  const std::size_t bits = in.u8();
  const auto is_network = in.u8();
  const auto size = in.u8();
  const auto address = in.bytes(size);
  const auto expected = family == family_4 ? size_4 : size_6;
  if ((family != family_4 && family != family_6) || is_network > 1 || size != expected ||
      bits > 8 * expected)
    in.fail();
  if (in.failed())
    return;
  if (family == family_4)
    append_address_4(out, address);
  else
    append_address_6(out, address);
  if (is_network == 0 && bits == 8 * expected)
    return;
  out += '/';
  append_decimal(out, bits);
}

void print_macaddr(std::string& out, byte_reader& in) {
  print_hardware_address(out, in, 6);
}

void print_macaddr8(std::string& out, byte_reader& in) {
  print_hardware_address(out, in, 8);
}

} // namespace replicant
