// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/relation_layout.hpp"

#include "replicant/actors/sinks/jsonl/json_text.hpp"

#include <algorithm>

namespace replicant {

namespace {

/// Far more tables than a publication holds at a time; dropped ones would stay for ever otherwise.
constexpr std::size_t most_layouts = 4096;

result<std::shared_ptr<const type_shape>> shape_of(std::uint32_t type, type_catalog* catalog) {
  if (auto built_in = built_in_type(type))
    return built_in;
  if (catalog != nullptr)
    return catalog->find(type);
  return std::make_shared<const type_shape>();
}

} // namespace

result<relation_layout> make_layout(const relation& table, const line_options& options) {
  relation_layout layout;
  layout.names.append(R"(,"schema":)");
  append_json_string(layout.names, table.schema);
  layout.names.append(R"(,"table":)");
  append_json_string(layout.names, table.name);

  const auto keyed =
    std::any_of(table.columns.begin(), table.columns.end(), [](const auto& c) { return c.key; });
  layout.columns.reserve(table.columns.size());
  for (const auto& one : table.columns) {
    auto type = shape_of(one.type, options.catalog.get());
    if (!type) {
      type.error().relation = table.oid;
      return failure(type.error());
    }
    auto& column = layout.columns.emplace_back();
    append_json_string(column.key, one.name);
    column.key.push_back(':');
    column.type = std::move(*type);
    column.form = form_of(*column.type, options.numeric);
    column.identity = one.key || !keyed;
  }
  return layout;
}

result<const relation_layout*> relation_layouts::find(const relation& table) {
  const auto place = known_.find(table.oid);
  auto* known = place == known_.end() ? nullptr : &place->second;
  const auto same =
    known != nullptr &&
    ((known->seen_in == transaction_ && known->seen_at == &table) || known->shape == table);
  if (!same) {
    auto layout = make_layout(table, options_);
    if (!layout)
      return failure(layout.error());
    if (known == nullptr && known_.size() >= most_layouts)
      known_.clear();
    known =
      &known_.insert_or_assign(table.oid, known_relation{table, std::move(*layout)}).first->second;
  }
  known->seen_in = transaction_;
  known->seen_at = &table;
  last_table_ = &table;
  last_layout_ = &known->layout;
  return last_layout_;
}

} // namespace replicant
