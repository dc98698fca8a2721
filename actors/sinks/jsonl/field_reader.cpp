// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/field_reader.hpp"

namespace replicant {

std::optional<std::string> field_reader::text() {
  std::string taken;
  while (!rest_.empty() && rest_.front() != '"') {
    auto next = std::optional{rest_.front()};
    rest_.remove_prefix(1);
    if (next == '\\')
      next = escaped();
    if (!next)
      return std::nullopt;
    taken.push_back(*next);
  }
  return taken;
}

std::optional<char> field_reader::escaped() {
  constexpr std::string_view letters = "\"\\bfnrt";
  constexpr std::string_view meanings = "\"\\\b\f\n\r\t";
  if (rest_.empty())
    return std::nullopt;
  if (const auto at = letters.find(rest_.front()); at != std::string_view::npos) {
    rest_.remove_prefix(1);
    return meanings[at];
  }
  const auto raw_byte = skip("udc");
  if (!raw_byte && !skip("u00"))
    return std::nullopt;
  unsigned byte = 0;
  const auto digits = rest_.substr(0, 2);
  const auto* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, byte, 16);
  if (digits.size() != 2 || error != std::errc{} || stop != end || (byte >= 0x80) != raw_byte)
    return std::nullopt;
  rest_.remove_prefix(2);
  return static_cast<char>(byte);
}

} // namespace replicant
