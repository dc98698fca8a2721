// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/sinks/jsonl/json_value.hpp"
#include "replicant/core/model/relation.hpp"
#include "replicant/core/values/type_catalog.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace replicant {

/// How lines are written.
struct line_options {
  /// Knows the types that are not built in. Null: they read as nothing known.
  std::shared_ptr<type_catalog> catalog;
  value_form numeric = value_form::string; ///< Of numeric: string or number.
};

/// What can be said of a column before any row is seen.
struct column_layout {
  std::string key; ///< The name as a JSON string and the colon.
  std::shared_ptr<const type_shape> type;
  value_form form = value_form::string;
  bool identity = false; ///< Written when only the key of an old row is known.

  /// The name as a JSON string.
  [[nodiscard]] std::string_view quoted() const {
    return std::string_view{key}.substr(0, key.size() - 1);
  }
};

/// What can be said of a table before any row is seen, so that a row needs no lookup.
struct relation_layout {
  std::string names; ///< `,"schema":...,"table":...` of a change line.
  std::vector<column_layout> columns;
};

/// @fault as the catalog's, with the relation.
[[nodiscard]] result<relation_layout> make_layout(const relation& table,
                                                  const line_options& options);

/// The layouts of the tables that were seen, by OID.
class relation_layouts {
public:
  explicit relation_layouts(line_options options) : options_{std::move(options)} {}

  [[nodiscard]] const line_options& options() const { return options_; }

  /// Tables live as long as their transaction: another one may stand at the same address.
  void begin_transaction() {
    ++transaction_;
    last_table_ = nullptr;
  }

  /// The layout of `table`, valid until the next call.
  /// @fault as `make_layout`; nothing is remembered then.
  [[nodiscard]] result<const relation_layout*> of(const relation& table) {
    if (&table != last_table_)
      return find(table);
    return last_layout_;
  }

private:
  struct known_relation {
    relation shape;
    relation_layout layout;
    const relation* seen_at = nullptr; ///< In `seen_in` only.
    std::uint64_t seen_in = 0;
  };

  [[nodiscard]] result<const relation_layout*> find(const relation& table);

  line_options options_;
  std::unordered_map<std::uint32_t, known_relation> known_;
  const relation* last_table_ = nullptr;
  const relation_layout* last_layout_ = nullptr;
  std::uint64_t transaction_ = 0;
};

} // namespace replicant
