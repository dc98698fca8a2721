// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>
#include <system_error>

namespace replicant {

/// Decimal digits, with "-" before them where `Number` has a sign, within its limits, and all of
/// `text`; nothing for any other text.
template <std::integral Number>
[[nodiscard]] std::optional<Number> parse_number(std::string_view text) {
  Number found{};
  const auto* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, found);
  return error == std::errc{} && stop == end ? std::optional{found} : std::nullopt;
}

} // namespace replicant
