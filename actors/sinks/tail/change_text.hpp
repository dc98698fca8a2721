// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/sinks/tail/text_style.hpp"
#include "replicant/core/model/change.hpp"
#include "replicant/core/model/result.hpp"

#include <string>
#include <vector>

namespace replicant {

/// Which columns of a table are its key, in the order of the columns.
using key_columns = std::vector<bool>;

/// The key that the stream itself tells. A table with REPLICA IDENTITY FULL has none of its own:
/// there the stream calls every column part of it.
[[nodiscard]] key_columns announced_key(const relation& table);

/// Appends a change for people, one entry:
///
///     INSERT shop.orders  [id=1]  note='two words'  qty=3
///     UPDATE shop.orders  [id=1]  qty=3 -> 4
///     DELETE shop.orders  [id=1]
///     TRUNCATE shop.orders  restart identity
///
/// The key comes first, in brackets. Of an update whose old row is known only the columns that
/// changed are shown, unless no key tells which row it is; otherwise all that was sent.
/// @fault decode_failure when a row does not fit its table or holds a binary cell.
[[nodiscard]] result<void> append_change(std::string& out, const text_style& style,
                                         const change& one, const key_columns& keys);

/// Appends a message of pg_logical_emit_message, one entry.
void append_message_text(std::string& out, const text_style& style, const logical_message& one);

} // namespace replicant
