// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace replicant {

/// Appends a JSON text as a value, character by character as it is, but for line breaks between its
/// tokens, which become spaces: no document can begin a line.
///
/// PostgreSQL's json keeps what it was given unchecked; only what any reader takes is embedded: the
/// grammar of RFC 8259 in UTF-8, nested 100 deep at most, without half of a surrogate pair.
/// @returns false, with `out` as it was, when `text` is anything else.
[[nodiscard]] bool append_json_document(std::string& out, std::string_view text);

/// Whether an embedded value is the JSON word null.
[[nodiscard]] bool is_null_document(std::string_view embedded);

} // namespace replicant
