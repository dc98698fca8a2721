// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace replicant {

/// How the text of a value becomes JSON.
enum class value_form : std::uint8_t {
  string,  ///< A JSON string.
  number,  ///< The same characters when they are a JSON number, else a string (NaN, Infinity).
  boolean, ///< t and f become true and false, anything else a string.
};

/// How values of a type are written: bool, int2, int4, int8, float4 and float8 have a form of their
/// own, every other type keeps PostgreSQL's text.
[[nodiscard]] value_form form_of(std::uint32_t type_oid);

/// Whether `text` is a number by the grammar of RFC 8259.
[[nodiscard]] bool is_json_number(std::string_view text);

/// Appends `text` as a JSON string.
///
/// Rule for bytes that are not UTF-8 (a SQL_ASCII database): each such byte XX is written as the
/// escape \udcXX, a lone low surrogate. Valid text never contains one, so nothing is lost or
/// confused, the line stays valid UTF-8 by the grammar of JSON, and a reader gets the bytes back
/// (Python: `json.loads(line)`, then `.encode("utf-8", "surrogateescape")`).
void append_json_string(std::string& out, std::string_view text);

/// Appends the text of a value in its form. No value ever passes through a number type.
void append_json_value(std::string& out, value_form form, std::string_view text);

/// Appends a JSON string that holds `bytes` in base64 (RFC 4648, padded).
void append_json_base64(std::string& out, std::string_view bytes);

/// Appends `number` in decimal.
void append_decimal(std::string& out, std::uint64_t number);

} // namespace replicant
