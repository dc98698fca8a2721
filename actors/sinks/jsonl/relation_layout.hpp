// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/sinks/jsonl/json_text.hpp"
#include "replicant/core/model/relation.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace replicant {

/// What can be said of a column before any row is seen.
struct column_layout {
  std::string key; ///< The name as a JSON string and the colon.
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

[[nodiscard]] relation_layout make_layout(const relation& table);

/// The layouts of the tables that were seen, by OID.
class relation_layouts {
public:
  /// Tables live as long as their transaction: another one may stand at the same address.
  void begin_transaction() {
    ++transaction_;
    last_table_ = nullptr;
  }

  /// The layout of `table`, valid until the next call.
  [[nodiscard]] const relation_layout& of(const relation& table) {
    return &table == last_table_ ? *last_layout_ : find(table);
  }

private:
  struct known_relation {
    relation shape;
    relation_layout layout;
    const relation* seen_at = nullptr; ///< In `seen_in` only.
    std::uint64_t seen_in = 0;
  };

  const relation_layout& find(const relation& table);

  std::unordered_map<std::uint32_t, known_relation> known_;
  const relation* last_table_ = nullptr;
  const relation_layout* last_layout_ = nullptr;
  std::uint64_t transaction_ = 0;
};

} // namespace replicant
