// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/image_writer.hpp"

#include "replicant/actors/sinks/jsonl/json_document.hpp"

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

void append_columns(std::string& out, std::string_view name, const relation_layout& layout,
                    const std::vector<std::size_t>& listed) {
  if (!listed.empty())
    append_columns(out, name, layout,
                   [&](std::size_t i) { return std::ranges::find(listed, i) != listed.end(); });
}

} // namespace

image_outcome image_writer::append(std::string& out, const relation_layout& layout,
                                   const change& one) {
  const auto start = out.size();
  some_unchanged_ = false;
  as_text_.clear();
  if (const auto done = append_images(out, layout, one); done != image_outcome::written)
    return done;
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
  append_columns(out, R"(,"json_null":)", layout, new_nulls_);
  append_columns(out, R"(,"old_json_null":)", layout, old_nulls_);
  return image_outcome::written;
}

image_outcome image_writer::append_images(std::string& out, const relation_layout& layout,
                                          const change& one) {
  new_nulls_.clear();
  old_nulls_.clear();
  if (one.op == operation::insert || one.op == operation::update) {
    out.append(R"(,"record":)");
    if (const auto done = append_row(out, layout, one.record, row_part::all, new_nulls_);
        done != image_outcome::written)
      return done;
  }
  if (one.old_kind == old_image::none)
    return image_outcome::written;
  out.append(R"(,"old":)");
  return append_row(out, layout, one.old,
                    one.old_kind == old_image::key ? row_part::identity : row_part::all,
                    old_nulls_);
}

image_outcome image_writer::append_row(std::string& out, const relation_layout& layout, tuple row,
                                       row_part part, columns& null_documents) {
  if (row.size() != layout.columns.size())
    return image_outcome::misfit;
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
    const auto start = out.size();
    if (row[i].kind == cell_kind::null)
      out.append("null");
    else if (row[i].kind == cell_kind::text && is_flat(column.form))
      append_flat_value(out, column.form, row[i].bytes);
    else if (append_value(out, layout, i, row[i]) != image_outcome::written)
      return image_outcome::unreadable;
    else if (is_null_document(std::string_view{out}.substr(start)))
      null_documents.push_back(i);
  }
  out.append(separator == '{' ? "{}" : "}");
  return image_outcome::written;
}

image_outcome image_writer::append_value(std::string& out, const relation_layout& layout,
                                         std::size_t at, const cell& value) {
  const auto& column = layout.columns[at];
  const auto how = !as_text_.empty() && as_text_[at] ? documents::as_text : documents::embedded;
  switch (values_.append(out, *column.type, column.form, value, how)) {
    case value_outcome::as_asked: return image_outcome::written;
    case value_outcome::as_text:
      as_text_.resize(layout.columns.size());
      as_text_[at] = true;
      return image_outcome::written;
    case value_outcome::broken: break;
  }
  return image_outcome::unreadable;
}

} // namespace replicant
