// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/sinks/tail/change_text.hpp"
#include "replicant/actors/sinks/tail/tail_format.hpp"
#include "replicant/core/model/relation.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace replicant {

/// For people: a border for each transaction, an entry for each change.
class text_format final : public tail_format {
public:
  /// Asked again for each transaction, because a window changes its size.
  using style_source = std::function<text_style()>;

  /// The names of a table's primary key columns, none when it has no such key; nothing when nobody
  /// can tell now.
  using key_source = std::function<std::optional<std::vector<std::string>>(std::uint32_t table)>;

  /// `primary_key` is asked once for every shape of a table whose key the stream does not tell, and
  /// once more in each transaction until it knows. It may be empty.
  text_format(style_source style, key_source primary_key)
    : style_of_{std::move(style)}, primary_key_{std::move(primary_key)}, style_{style_of_()} {}

  void header(std::string& out, const session_identity& source) override;
  void gap(std::string& out, const stream_gap& what) override;
  void schema_change(std::string& out, const replicant::schema_change& what) override;
  void begin(std::string& out, const transaction& txn, const shown_part& part) override;
  [[nodiscard]] result<void> add(std::string& out, const event& one) override;
  void end(std::string& out, const transaction& txn, const shown_part& part) override;
  void message(std::string& out, const logical_message& one) override;

private:
  struct known_table {
    relation shape;
    key_columns keys;
    bool certain = true; ///< The keys need not be asked for again.
  };

  [[nodiscard]] const key_columns& keys_of(const relation& table);

  style_source style_of_;
  key_source primary_key_;
  text_style style_;
  std::unordered_map<std::uint32_t, known_table> tables_;
};

} // namespace replicant
