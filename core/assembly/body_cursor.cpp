// SPDX-License-Identifier: MIT
#include "replicant/core/assembly/body_cursor.hpp"

#include "replicant/core/assembly/collected_body.hpp"

namespace replicant {

namespace {

event row_change(const row_message& row) {
  return change{.op = row.op, .record = row.record, .old = row.old, .old_kind = row.old_kind};
}

event truncation(const truncate_options& how) {
  return change{
    .op = operation::truncate, .cascade = how.cascade, .restart_identity = how.restart_identity};
}

/// What was accepted once can be read again, unless it is not what was kept.
template <class Read>
Read checked(result<Read> read) {
  if (!read)
    throw unreadable_events{fault{.why = reason::spill_io_failed}};
  return std::move(*read);
}

} // namespace

body_cursor::body_cursor(const collected_body& body)
  : body_{&body}, disk_{body.file_ ? body.file_->read() : nullptr} {}

const event* body_cursor::next() {
  auto one = take();
  while (one && body_->was_rolled_back(one->xid))
    one = take();
  if (!one)
    return nullptr;
  decode(*one);
  return &current_;
}

std::optional<kept_event> body_cursor::take() {
  while (block_.at_end())
    if (!open_block())
      return next_attached_ < body_->attached_.size()
               ? std::optional{body_->attached_[next_attached_++]}
               : std::nullopt;
  auto one = block_.next();
  if (!one || (one->table != kept_event::no_table && one->table >= body_->tables_.size()))
    throw unreadable_events{fault{.why = reason::spill_io_failed}};
  return one;
}

bool body_cursor::open_block() {
  if (disk_) {
    const auto read = disk_->next();
    if (!read)
      throw unreadable_events{read.error()};
    if (*read) {
      block_ = event_block_reader{**read};
      return true;
    }
    disk_.reset();
  }
  if (next_block_ == body_->blocks_.size())
    return false;
  block_ = event_block_reader{body_->blocks_[next_block_++].bytes()};
  return true;
}

void body_cursor::decode(const kept_event& one) {
  const auto ordinal = ordinal_++;
  const wire_message message{one.tag, one.xid, one.body};
  if (one.table == kept_event::no_table) {
    const auto read = checked(decoder_.decode(message));
    const auto* const told = std::get_if<logical_message>(&read);
    if (told == nullptr)
      throw unreadable_events{fault{.why = reason::spill_io_failed}};
    current_ = *told;
    std::get<logical_message>(current_).ordinal = ordinal;
    return;
  }
  current_ = message.is_row() ? row_change(checked(decoder_.decode_row(message)))
                              : truncation(checked(decode_truncate_options(one.body)));
  auto& made = std::get<change>(current_);
  made.table = body_->tables_[one.table].get();
  made.ordinal = ordinal;
}

} // namespace replicant
