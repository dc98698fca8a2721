// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/values/value.hpp"

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace replicant {

// Each reads what PostgreSQL prints for a type, all of `text`; nothing for any other text.

/// "t" and "f", or the words, as a cast to text writes them.
[[nodiscard]] std::optional<bool> parse_bool(std::string_view text);

/// Of the nearest number, as it was before it was printed; NaN and the infinities too.
template <std::floating_point Number>
[[nodiscard]] std::optional<Number> parse_float(std::string_view text);

/// In hundredths: digits, in groups of three with commas or without, and two behind the point or
/// none, behind "-" and "$" or neither.
[[nodiscard]] std::optional<std::int64_t> parse_money(std::string_view text);

/// One byte, with an octal escape beyond ASCII; nothing at all is the zero byte.
[[nodiscard]] std::optional<char> parse_char(std::string_view text);

[[nodiscard]] std::optional<uuid> parse_uuid(std::string_view text);

/// Appends the bytes of a bytea, whether bytea_output is hex or escape. @returns false when `text`
/// is neither; what was appended until then means nothing.
[[nodiscard]] bool append_bytea(std::string& out, std::string_view text);

} // namespace replicant
