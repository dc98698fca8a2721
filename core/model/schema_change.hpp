// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/lsn.hpp"
#include "replicant/core/model/relation.hpp"
#include "replicant/core/model/result.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace replicant {

/// In what two shapes of a published table differ. A column that was renamed is one dropped and one
/// added: the stream tells columns by their names alone. Defaults, constraints and the order of
/// columns are no difference.
enum class schema_change_kind : std::uint8_t {
  column_added = 1,
  column_dropped,
  type_changed,     ///< Of a column: its type, or the length or precision of its type.
  identity_changed, ///< What is sent of an old row: the replica identity, or its key columns.
  table_renamed,    ///< The table has another name, or lies in another schema.
  table_replaced,   ///< Another table has the name: made anew, or renamed to it.
};

/// The kind's name, as lines, logs and documents spell it.
[[nodiscard]] std::string_view to_string(schema_change_kind kind);

/// The kind of this name; nothing for any other text.
[[nodiscard]] std::optional<schema_change_kind> parse_schema_change_kind(std::string_view text);

/// Whether a copy of the table made so far can be wrong by it. Only a new column is not: rows that
/// were copied simply lack it.
[[nodiscard]] constexpr bool is_destructive(schema_change_kind kind) {
  return kind != schema_change_kind::column_added;
}

/// One of the ways in which two shapes differ.
struct schema_difference {
  schema_change_kind kind = schema_change_kind::column_added;
  std::string column{}; ///< Empty where the table as a whole is meant.

  friend bool operator==(const schema_difference&, const schema_difference&) = default;
};

/// What a table's new shape tells by itself; `table_replaced` is not among it. Destructive
/// differences come first.
[[nodiscard]] std::vector<schema_difference> differences_between(const relation& before,
                                                                 const relation& after);

/// A table whose rows come in another shape than before: names, never a value.
struct schema_change {
  lsn at{}; ///< The commit of the transaction that has the first row of the new shape.
  /// The shape before. Of the table that had the name, when this one was never seen before.
  std::shared_ptr<const relation> before;
  std::shared_ptr<const relation> after;
  std::vector<schema_difference> differences; ///< At least one.
};

/// Tells the change from every other, wherever it is met again: of the table's OID and both shapes.
[[nodiscard]] std::uint64_t fingerprint_of(const schema_change& what);

/// A fingerprint as logs and commands spell it: 16 hexadecimal digits.
[[nodiscard]] std::string fingerprint_text(std::uint64_t fingerprint);

/// Reads it back. @returns nothing for anything else.
[[nodiscard]] std::optional<std::uint64_t> parse_fingerprint(std::string_view text);

/// The judgement of a sink that does not judge by itself: what only adds is fine.
/// @fault schema_change_destructive with table, position, fingerprint and kind of the first other
/// difference.
[[nodiscard]] result<void> refuse_destructive(const schema_change& what);

/// The table and what has changed, bare of quotes: "public.orders: column_dropped note".
[[nodiscard]] std::string to_string(const schema_change& what);

} // namespace replicant
