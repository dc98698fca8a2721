// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/image_writer.hpp"

#include <algorithm>

namespace replicant {

enum class image_writer::row_part : std::uint8_t {
  all,
  identity, ///< Only the columns of the replica identity.
};

namespace {

/// Appends the member `name`, a list of the columns for which `listed` holds; nothing without any.
template <class Predicate>
void append_columns(std::string& out, std::string_view name, const relation_layout& layout,
                    Predicate listed) {
  auto separator = '[';
  for (std::size_t i = 0; i < layout.columns.size(); ++i) {
    if (!listed(i))
      continue;
    if (separator == '[')
      out.append(name);
    out.push_back(std::exchange(separator, ','));
    out.append(layout.columns[i].quoted());
  }
  if (separator == ',')
    out.push_back(']');
}

} // namespace

bool image_writer::append(std::string& out, const relation_layout& layout, const change& one) {
  const auto start = out.size();
  some_unchanged_ = false;
  as_text_.clear();
  if (!append_images(out, layout, one))
    return false;
  if (!as_text_.empty()) {
    // A column is read one way in a line: its other image may have been embedded.
    out.resize(start);
    static_cast<void>(append_images(out, layout, one));
  }
  if (some_unchanged_ && !one.record.empty())
    append_columns(out, R"(,"unchanged":)", layout,
                   [&](std::size_t i) { return one.record[i].kind == cell_kind::unchanged; });
  if (!as_text_.empty())
    append_columns(out, R"(,"json_as_text":)", layout, [&](std::size_t i) { return as_text_[i]; });
  return true;
}

bool image_writer::append_images(std::string& out, const relation_layout& layout,
                                 const change& one) {
  if (one.op == operation::insert || one.op == operation::update) {
    out.append(R"(,"record":)");
    if (!append_row(out, layout, one.record, row_part::all))
      return false;
  }
  if (one.old_kind == old_image::none)
    return true;
  out.append(R"(,"old":)");
  return append_row(out, layout, one.old,
                    one.old_kind == old_image::key ? row_part::identity : row_part::all);
}

bool image_writer::append_row(std::string& out, const relation_layout& layout, tuple row,
                              row_part part) {
  if (row.size() != layout.columns.size())
    return false;
  auto separator = '{';
  for (std::size_t i = 0; i < row.size(); ++i) {
    const auto& column = layout.columns[i];
    if (part == row_part::identity && !column.identity)
      continue;
    if (row[i].kind == cell_kind::unchanged) {
      some_unchanged_ = true;
      continue;
    }
    out.push_back(std::exchange(separator, ','));
    out.append(column.key);
    if (row[i].kind == cell_kind::null)
      out.append("null");
    else if (row[i].kind == cell_kind::text && is_flat(column.form))
      append_flat_value(out, column.form, row[i].bytes);
    else if (!append_value(out, layout, i, row[i]))
      return false;
  }
  out.append(separator == '{' ? "{}" : "}");
  return true;
}

bool image_writer::append_value(std::string& out, const relation_layout& layout, std::size_t at,
                                const cell& value) {
  const auto& column = layout.columns[at];
  const auto how = !as_text_.empty() && as_text_[at] ? documents::as_text : documents::embedded;
  switch (values_.append(out, *column.type, column.form, value, how)) {
    case value_outcome::as_asked: return true;
    case value_outcome::as_text:
      as_text_.resize(layout.columns.size());
      as_text_[at] = true;
      return true;
    case value_outcome::broken: break;
  }
  return false;
}

} // namespace replicant
