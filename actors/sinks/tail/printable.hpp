// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/sinks/tail/text_style.hpp"

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

/// Foreign text made fit for a terminal: nothing in it can act. No control character, no escape
/// sequence, nothing that turns the direction of writing or cannot be seen comes through, so no
/// text moves the cursor or forges a line.
namespace replicant {

inline constexpr auto any_width = std::numeric_limits<std::size_t>::max();

/// A value as a constant of SQL, as plain as it can be without doubt: 12, new, 'two words',
/// 'it''s', E'line\nbreak', '' and, for the text NULL, 'NULL'. Bytes that are not UTF-8 become
/// \xHH.
///
/// What needs more than `columns` is cut and ends with `cut_mark`.
[[nodiscard]] std::string printable_value(std::string_view text, charset characters,
                                          std::size_t columns = any_width);

/// A name, quoted with double quotes where it needs to be.
[[nodiscard]] std::string printable_name(std::string_view name, charset characters);

/// The end of a value that was cut. No whole value that stands unquoted ends like that.
[[nodiscard]] std::string_view cut_mark(charset characters);

/// How many columns `text` takes, which is UTF-8 without control characters.
[[nodiscard]] std::size_t columns_of(std::string_view text);

} // namespace replicant
