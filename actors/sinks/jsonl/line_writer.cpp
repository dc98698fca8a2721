// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/line_writer.hpp"

#include "replicant/actors/sinks/jsonl/json_text.hpp"
#include "replicant/core/values/digits.hpp"

#include <utility>

namespace replicant {

namespace {

/// A buffer that one huge row has blown up is not kept.
constexpr std::size_t kept_capacity = std::size_t{4} * 1024 * 1024;

std::string_view line_start(operation op) {
  switch (op) {
    case operation::insert: return R"({"kind":"change","op":"insert")";
    case operation::update: return R"({"kind":"change","op":"update")";
    case operation::remove: return R"({"kind":"change","op":"delete")";
    case operation::truncate: return R"({"kind":"change","op":"truncate")";
  }
  return {};
}

void append_truncate_options(std::string& out, const change& one) {
  out.append(one.cascade ? R"(,"cascade":true)" : R"(,"cascade":false)");
  out.append(one.restart_identity ? R"(,"restart_identity":true)" : R"(,"restart_identity":false)");
}

} // namespace

void line_writer::taken() {
  sum_up();
  if (buffer_.capacity() > kept_capacity)
    buffer_ = {};
  buffer_.clear();
  images_.shrink();
  summed_ = 0;
}

void line_writer::announce(const schema_change& what) {
  if (std::exchange(announced_at_, what.at) != what.at)
    announced_.clear();
  append_schema_change(announced_, what);
}

void line_writer::begin(const transaction& txn) {
  layouts_.begin_transaction();
  commit_ = {.xid = txn.xid, .commit_lsn = txn.commit_lsn};
  commit_text_.assign(R"(,"commit_lsn":")").append(to_string(txn.commit_lsn));
  commit_text_.append(R"(","ordinal":)");
  checksum_ = {};
  summed_ = buffer_.size();
  append_begin(buffer_, txn);
  if (announced_at_ == txn.commit_lsn)
    buffer_.append(announced_);
  announced_.clear();
}

result<void> line_writer::add(const event& one) {
  if (const auto* row = std::get_if<change>(&one))
    return add_change(*row);
  append_message(buffer_, std::get<logical_message>(one));
  return {};
}

namespace {

reason why_not(image_outcome refused) {
  return refused == image_outcome::unreadable ? reason::binary_unreadable : reason::decode_failure;
}

} // namespace

result<void> line_writer::add_change(const change& one) {
  const auto layout = layouts_.of(*one.table);
  if (!layout)
    return failure(layout.error());
  buffer_.append(line_start(one.op)).append((*layout)->names).append(commit_text_);
  append_decimal(buffer_, one.ordinal);
  if (one.op == operation::truncate)
    append_truncate_options(buffer_, one);
  else if (const auto done = images_.append(buffer_, **layout, one); done != image_outcome::written)
    return failure(
      fault{.why = why_not(done), .at = commit_.commit_lsn, .relation = one.table->oid});
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
