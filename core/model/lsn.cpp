// SPDX-License-Identifier: MIT
#include "replicant/core/model/lsn.hpp"

#include <array>
#include <charconv>

namespace replicant {

namespace {

std::optional<std::uint32_t> parse_half(std::string_view text) {
  std::uint32_t half = 0;
  const auto* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, half, 16);
  if (error != std::errc{} || stop != end || text.empty())
    return std::nullopt;
  return half;
}

} // namespace

std::string to_string(lsn position) {
  std::array<char, 18> text{};
  auto* out = text.data();
  auto* const end = out + text.size();
  out = std::to_chars(out, end, position.value() >> 32, 16).ptr;
  *out++ = '/';
  out = std::to_chars(out, end, position.value() & 0xFFFFFFFFU, 16).ptr;
  for (auto* c = text.data(); c != out; ++c)
    if (*c >= 'a')
      *c = static_cast<char>(*c - 'a' + 'A');
  return {text.data(), out};
}

std::optional<lsn> parse_lsn(std::string_view text) {
  const auto slash = text.find('/');
  if (slash == std::string_view::npos)
    return std::nullopt;
  const auto file = parse_half(text.substr(0, slash));
  const auto offset = parse_half(text.substr(slash + 1));
  if (!file || !offset)
    return std::nullopt;
  return lsn{std::uint64_t{*file} << 32 | *offset};
}

} // namespace replicant
