// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace replicant {

/// Whether `text` is a number by the grammar of RFC 8259.
[[nodiscard]] bool is_json_number(std::string_view text);

/// How many bytes at the start of `text` can stand in a JSON string as they are: valid UTF-8
/// without quotes, backslashes and control characters.
[[nodiscard]] std::size_t plain_length(std::string_view text);

/// Appends `text` as a JSON string.
///
/// Rule for bytes that are not UTF-8 (a SQL_ASCII database): each such byte XX is written as the
/// escape \udcXX, a lone low surrogate. Valid text never contains one, so nothing is lost or
/// confused, the line stays valid UTF-8 by the grammar of JSON, and a reader gets the bytes back
/// (Python: `json.loads(line)`, then `.encode("utf-8", "surrogateescape")`).
void append_json_string(std::string& out, std::string_view text);

/// Appends a JSON string that holds `bytes` in base64 (RFC 4648, padded).
void append_json_base64(std::string& out, std::string_view bytes);

/// The bytes of which `append_json_base64` makes a string of `text`; nothing when there are none.
[[nodiscard]] std::optional<std::string> read_base64(std::string_view text);

} // namespace replicant
