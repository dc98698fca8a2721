// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/json_text.hpp"

#include "replicant/core/values/digits.hpp"
#include "replicant/core/values/utf8.hpp"

#include <array>
#include <cstdint>
#include <cstring>

namespace replicant {

namespace {

constexpr std::uint64_t repeated(unsigned char byte) {
  return std::uint64_t{0x0101010101010101} * byte;
}

/// Whether one of the eight bytes is zero.
constexpr bool has_zero(std::uint64_t word) {
  return ((word - repeated(1)) & ~word & repeated(0x80)) != 0;
}

/// Whether all eight bytes are ASCII that JSON takes as it is.
bool all_plain(const char* eight) {
  std::uint64_t word = 0;
  std::memcpy(&word, eight, sizeof word);
  const auto control_or_high = ((word - repeated(0x20)) | word) & repeated(0x80);
  return control_or_high == 0 && !has_zero(word ^ repeated('"')) &&
         !has_zero(word ^ repeated('\\'));
}

bool is_plain(unsigned char byte) {
  return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

void append_escape(std::string& out, unsigned char byte) {
  switch (byte) {
    case '"': out.append("\\\""); return;
    case '\\': out.append("\\\\"); return;
    case '\b': out.append("\\b"); return;
    case '\f': out.append("\\f"); return;
    case '\n': out.append("\\n"); return;
    case '\r': out.append("\\r"); return;
    case '\t': out.append("\\t"); return;
    default: append_hex(out.append(byte < 0x80 ? "\\u00" : "\\udc"), byte, 2);
  }
}

std::size_t skip_digits(std::string_view text, std::size_t at) {
  while (at < text.size() && text[at] >= '0' && text[at] <= '9')
    ++at;
  return at;
}

} // namespace

bool is_json_number(std::string_view text) {
  const std::size_t first = !text.empty() && text[0] == '-' ? 1 : 0;
  auto at = skip_digits(text, first);
  if (at == first || (text[first] == '0' && at > first + 1))
    return false;
  if (at < text.size() && text[at] == '.') {
    const auto fraction = at + 1;
    at = skip_digits(text, fraction);
    if (at == fraction)
      return false;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-'))
      ++at;
    const auto exponent = at;
    at = skip_digits(text, exponent);
    if (at == exponent)
      return false;
  }
  return at == text.size();
}

std::size_t plain_length(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (text.size() - at >= 8 && all_plain(text.data() + at)) {
      at += 8;
      continue;
    }
    const auto byte = static_cast<unsigned char>(text[at]);
    const auto length = is_plain(byte) ? 1 : byte < 0x80 ? 0 : utf8_length(text.substr(at));
    if (length == 0)
      break;
    at += length;
  }
  return at;
}

void append_json_string(std::string& out, std::string_view text) {
  out.push_back('"');
  for (;;) {
    const auto plain = plain_length(text);
    out.append(text.data(), plain);
    if (plain == text.size())
      break;
    append_escape(out, static_cast<unsigned char>(text[plain]));
    text.remove_prefix(plain + 1);
  }
  out.push_back('"');
}

namespace {

constexpr auto letters =
  std::string_view{"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"};

} // namespace

void append_json_base64(std::string& out, std::string_view bytes) {
  out.push_back('"');
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const auto group = bytes.substr(at, 3);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i)
      bits = bits << 8U | (i < group.size() ? static_cast<unsigned char>(group[i]) : 0U);
    const std::array<char, 4> four{letters[bits >> 18U], letters[bits >> 12U & 63U],
                                   group.size() > 1 ? letters[bits >> 6U & 63U] : '=',
                                   group.size() > 2 ? letters[bits & 63U] : '='};
    out.append(four.data(), four.size());
  }
  out.push_back('"');
}

std::optional<std::string> read_base64(std::string_view text) {
  std::string bytes;
  std::uint32_t bits = 0;
  unsigned waiting = 0;
  for (const auto letter : text.substr(0, text.find('='))) {
    const auto six = letters.find(letter);
    if (six == std::string_view::npos)
      return std::nullopt;
    bits = bits << 6U | static_cast<std::uint32_t>(six);
    waiting += 6;
    if (waiting < 8)
      continue;
    waiting -= 8;
    bytes.push_back(static_cast<char>(bits >> waiting & 0xFFU));
  }
  // A wrong end, of which there are many kinds, is not what is written for these bytes.
  std::string right;
  append_json_base64(right, bytes);
  if (std::string_view{right}.substr(1, right.size() - 2) != text)
    return std::nullopt;
  return bytes;
}

} // namespace replicant
