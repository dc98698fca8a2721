// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace replicant {

/// A place in a configuration file, counted from 1; line 0 means the file as a whole.
struct location {
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  friend constexpr auto operator<=>(location, location) = default;
};

/// One thing that is wrong with a configuration: what, why, and what to write instead.
///
/// `text` is made of our own words and of names that we know. It never repeats what the file says,
/// because a password may stand anywhere in it.
struct diagnostic {
  location at;
  std::string text;
};

using diagnostics = std::vector<diagnostic>;

/// "file:line:column: text", or "file: text" when the file as a whole is meant.
[[nodiscard]] std::string to_string(std::string_view file, const diagnostic& problem);

} // namespace replicant
