// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/relation_layout.hpp"

#include <algorithm>

namespace replicant {

namespace {

/// Far more tables than a publication holds at a time; dropped ones would stay for ever otherwise.
constexpr std::size_t most_layouts = 4096;

} // namespace

relation_layout make_layout(const relation& table) {
  relation_layout layout;
  layout.names.append(R"(,"schema":)");
  append_json_string(layout.names, table.schema);
  layout.names.append(R"(,"table":)");
  append_json_string(layout.names, table.name);

  const auto keyed =
    std::any_of(table.columns.begin(), table.columns.end(), [](const auto& c) { return c.key; });
  layout.columns.reserve(table.columns.size());
  for (const auto& one : table.columns) {
    auto& column = layout.columns.emplace_back();
    append_json_string(column.key, one.name);
    column.key.push_back(':');
    column.form = form_of(one.type);
    column.identity = one.key || !keyed;
  }
  return layout;
}

const relation_layout& relation_layouts::find(const relation& table) {
  auto place = known_.find(table.oid);
  if (place == known_.end()) {
    if (known_.size() >= most_layouts)
      known_.clear();
    place = known_.emplace(table.oid, known_relation{table, make_layout(table)}).first;
  }
  auto& known = place->second;
  if (known.seen_in != transaction_ || known.seen_at != &table) {
    if (known.shape != table) {
      known.shape = table;
      known.layout = make_layout(table);
    }
    known.seen_in = transaction_;
    known.seen_at = &table;
  }
  last_table_ = &table;
  last_layout_ = &known.layout;
  return known.layout;
}

} // namespace replicant
