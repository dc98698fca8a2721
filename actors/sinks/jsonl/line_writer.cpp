// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/line_writer.hpp"

namespace replicant {

namespace {

/// A buffer that one huge row has blown up is not kept.
constexpr std::size_t kept_capacity = std::size_t{4} * 1024 * 1024;

enum class row_outcome : std::uint8_t {
  whole,
  some_unchanged,
  broken, ///< The row does not fit the table or holds what was never asked for.
};

enum class row_part : std::uint8_t {
  all,
  identity, ///< Only the columns of the replica identity.
};

std::string_view line_start(operation op) {
  switch (op) {
    case operation::insert: return R"({"kind":"change","op":"insert")";
    case operation::update: return R"({"kind":"change","op":"update")";
    case operation::remove: return R"({"kind":"change","op":"delete")";
    case operation::truncate: return R"({"kind":"change","op":"truncate")";
  }
  return {};
}

/// Appends a row as an object. Hot: no allocation but the buffer's own growth.
row_outcome append_row(std::string& out, const relation_layout& layout, tuple row, row_part part) {
  if (row.size() != layout.columns.size())
    return row_outcome::broken;
  auto outcome = row_outcome::whole;
  auto separator = '{';
  for (std::size_t i = 0; i < row.size(); ++i) {
    const auto& cell = row[i];
    const auto& column = layout.columns[i];
    if (part == row_part::identity && !column.identity)
      continue;
    if (cell.kind == cell_kind::binary)
      return row_outcome::broken;
    if (cell.kind == cell_kind::unchanged) {
      outcome = row_outcome::some_unchanged;
      continue;
    }
    out.push_back(separator);
    separator = ',';
    out.append(column.key);
    if (cell.kind == cell_kind::null)
      out.append("null");
    else
      append_json_value(out, column.form, cell.bytes);
  }
  out.append(separator == '{' ? "{}" : "}");
  return outcome;
}

void append_unchanged(std::string& out, const relation_layout& layout, tuple row) {
  auto separator = '[';
  out.append(R"(,"unchanged":)");
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i].kind != cell_kind::unchanged)
      continue;
    out.push_back(separator);
    separator = ',';
    out.append(layout.columns[i].quoted());
  }
  out.push_back(']');
}

void append_truncate_options(std::string& out, const change& one) {
  out.append(one.cascade ? R"(,"cascade":true)" : R"(,"cascade":false)");
  out.append(one.restart_identity ? R"(,"restart_identity":true)" : R"(,"restart_identity":false)");
}

/// Appends the images of a change: the new row, the old one, and what is not known of the new one.
bool append_images(std::string& out, const relation_layout& layout, const change& one) {
  auto record = row_outcome::whole;
  if (one.op == operation::insert || one.op == operation::update) {
    out.append(R"(,"record":)");
    record = append_row(out, layout, one.record, row_part::all);
  }
  auto old = row_outcome::whole;
  if (one.old_kind != old_image::none) {
    out.append(R"(,"old":)");
    old = append_row(out, layout, one.old,
                     one.old_kind == old_image::key ? row_part::identity : row_part::all);
  }
  if (record == row_outcome::some_unchanged)
    append_unchanged(out, layout, one.record);
  return record != row_outcome::broken && old != row_outcome::broken;
}

} // namespace

void line_writer::taken() {
  sum_up();
  if (buffer_.capacity() > kept_capacity)
    buffer_ = {};
  buffer_.clear();
  summed_ = 0;
}

void line_writer::begin(const transaction& txn) {
  layouts_.begin_transaction();
  commit_ = {.xid = txn.xid, .commit_lsn = txn.commit_lsn};
  commit_text_.assign(R"(,"commit_lsn":")").append(to_string(txn.commit_lsn));
  commit_text_.append(R"(","ordinal":)");
  checksum_ = {};
  summed_ = buffer_.size();
  append_begin(buffer_, txn);
}

result<void> line_writer::add(const event& one) {
  if (const auto* row = std::get_if<change>(&one))
    return add_change(*row);
  append_message(buffer_, std::get<logical_message>(one));
  return {};
}

result<void> line_writer::add_change(const change& one) {
  const auto& layout = layouts_.of(*one.table);
  buffer_.append(line_start(one.op)).append(layout.names).append(commit_text_);
  append_decimal(buffer_, one.ordinal);
  if (one.op == operation::truncate)
    append_truncate_options(buffer_, one);
  else if (!append_images(buffer_, layout, one))
    return failure(
      fault{.why = reason::decode_failure, .at = commit_.commit_lsn, .relation = one.table->oid});
  buffer_.append("}\n");
  ++commit_.changes;
  return {};
}

void line_writer::commit() {
  sum_up();
  commit_.checksum = checksum_.value();
  append_commit(buffer_, commit_);
}

void line_writer::sum_up() {
  const auto fresh = std::string_view{buffer_}.substr(summed_);
  checksum_.add(fresh);
  commit_.bytes += fresh.size();
  summed_ = buffer_.size();
}

} // namespace replicant
