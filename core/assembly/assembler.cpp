// SPDX-License-Identifier: MIT
#include "replicant/core/assembly/assembler.hpp"

#include "replicant/core/protocol/replication_frame.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace replicant {

result<delivery> stream_assembler::consume(const std::shared_ptr<const chunk>& source) {
  made_ = {};
  result<void> outcome;
  source->for_each_frame([&](std::string_view frame) {
    outcome = on_frame(frame);
    return outcome.has_value();
  });
  // A mark inside a transaction that comes whole lies at or below its commit, which is still to
  // come. The commits of those that come in segments lie behind everything that was read so far.
  if (outcome && source->mark && !whole_)
    reached_.advance(*source->mark);
  if (outcome)
    outcome = close_chunk(source);
  if (outcome)
    return std::move(made_);
  auto what = outcome.error();
  what.at = at_;
  return failure(what);
}

result<void> stream_assembler::on_frame(std::string_view frame) {
  const auto outer = decode_frame(frame);
  if (!outer)
    return failure(outer.error());
  const auto* data = std::get_if<xlog_data>(&*outer);
  if (data == nullptr)
    return failure(reason::decode_failure);
  at_ = data->start;
  const auto unwrapped = unwrap(data->payload, in_segment());
  if (!unwrapped)
    return failure(unwrapped.error());
  message_ = *unwrapped;
  auto message = decoder_.decode(message_);
  if (!message)
    return failure(message.error());
  return std::visit([this](auto& one) { return on(one); }, *message);
}

result<void> stream_assembler::on(const begin_message& message) {
  if (writing_ != nullptr)
    return failure(reason::decode_failure);
  whole_ = std::make_unique<whole_transaction>(message, open_transaction{message.xid});
  writing_ = &whole_->content;
  return {};
}

result<void> stream_assembler::on(const commit_message& message) {
  if (!whole_ || whole_->begin.final_lsn != message.commit_lsn)
    return failure(reason::decode_failure);
  const auto done = std::exchange(whole_, nullptr);
  writing_ = nullptr;
  return commit(done->content, message.commit_lsn, message.commit_time);
}

result<void> stream_assembler::on(const stream_start_message& message) {
  const auto known = find_stream(message.xid);
  const auto first = known == streams_.end();
  // Segments that came before this stream of ours would be missing.
  if (!dialect_.streaming || writing_ != nullptr || first != message.first_segment)
    return failure(reason::decode_failure);
  if (first && streams_.size() == max_concurrent_txns_)
    return failure(fault{.why = reason::too_many_streams,
                         .facts = {fact{fact_kind::limit, max_concurrent_txns_}}});
  auto& stream =
    first ? streams_.emplace_back(std::make_unique<open_transaction>(message.xid)) : *known;
  writing_ = stream.get();
  return {};
}

result<void> stream_assembler::on(const stream_stop_message& /*message*/) {
  if (!in_segment())
    return failure(reason::decode_failure);
  writing_ = nullptr;
  return {};
}

result<void> stream_assembler::on(const stream_commit_message& message) {
  const auto known = find_stream(message.xid);
  if (writing_ != nullptr || known == streams_.end())
    return failure(reason::decode_failure);
  const auto done = std::move(*known);
  streams_.erase(known);
  // The server takes it that everybody knows now what it announced to this transaction alone.
  relations_.adopt(done->announced);
  ++news_.streamed;
  return commit(*done, message.commit_lsn, message.commit_time);
}

result<void> stream_assembler::on(const stream_abort_message& message) {
  const auto known = find_stream(message.xid);
  const auto of_a_part = message.subxid != message.xid;
  if (writing_ != nullptr)
    return failure(reason::decode_failure);
  if (known == streams_.end())
    return dialect_.stray_aborts && of_a_part ? result<void>{} : failure(reason::decode_failure);
  if (of_a_part)
    return roll_back(**known, message.subxid);
  streams_.erase(known);
  ++news_.rolled_back;
  return {};
}

/// In a segment the server gives every message to the transaction as a whole, whichever
/// subtransaction wrote it (seen on 14 to 18).
result<void> stream_assembler::roll_back(const open_transaction& of, std::uint32_t subxid) {
  if (of.body->has_messages())
    return failure(
      fault{.why = reason::rollback_undecided, .facts = {fact{fact_kind::transaction_id, of.xid}}});
  of.body->roll_back(subxid);
  return {};
}

result<void> stream_assembler::commit(const open_transaction& done, lsn at, timestamp time) {
  // Servers before 15 send begin and commit of transactions without a published change, and all of
  // them segments without one, or of which nothing is left.
  if (done.body->size() == 0)
    return promise(watermark::through(at));
  if (!resume_.covers(at)) {
    tell_changes(*done.body, at);
    made_.spilled_bytes += done.body->spilled_bytes();
  }
  return hand_out(transaction{done.xid, at, time, done.body});
}

result<void> stream_assembler::on(const row_message& message) {
  const auto* const shape = shape_of(message.relation);
  if (!may_write() || shape == nullptr)
    return failure(fault{.why = reason::decode_failure, .relation = message.relation});
  const auto width = (*shape)->columns.size();
  const auto fits = [width](tuple cells, bool present) {
    return !present || cells.size() == width;
  };
  if (!fits(message.record, message.op != operation::remove) ||
      !fits(message.old, message.old_kind != old_image::none))
    return failure(fault{.why = reason::decode_failure, .relation = message.relation});
  writing_->body->add(*shape, keep(message_.body));
  return {};
}

result<void> stream_assembler::on(const truncate_message& message) {
  if (!may_write())
    return failure(reason::decode_failure);
  for (const auto oid : message.relations) {
    const auto* const shape = shape_of(oid);
    if (shape == nullptr)
      return failure(fault{.why = reason::decode_failure, .relation = oid});
    writing_->body->add(*shape, keep(message.options));
  }
  return {};
}

result<void> stream_assembler::on(const logical_message& message) {
  if (message.transactional) {
    if (!may_write())
      return failure(reason::decode_failure);
    writing_->body->add_message(keep(message_.body));
    return {};
  }
  // Sent while it is decoded: never inside of what is sent as a whole, be it a transaction or a
  // segment of one.
  if (writing_ != nullptr)
    return failure(reason::decode_failure);
  return hand_out(message);
}

result<void> stream_assembler::on(relation& shape) {
  if (in_segment())
    writing_->announced.announce(std::move(shape), ++announcements_, relations_);
  else
    relations_.announce(std::move(shape), ++announcements_);
  return {};
}

bool stream_assembler::in_segment() const {
  return writing_ != nullptr && !whole_;
}

/// Whether there is a transaction to which the message belongs, and its subtransaction is not over.
bool stream_assembler::may_write() const {
  return writing_ != nullptr && !writing_->body->was_rolled_back(message_.xid);
}

kept_event stream_assembler::keep(std::string_view body) const {
  return {.tag = message_.tag, .xid = message_.xid, .body = body};
}

/// In a segment the server announces every table anew.
const std::shared_ptr<const relation>* stream_assembler::shape_of(std::uint32_t oid) const {
  return (in_segment() ? writing_->announced : relations_).find(oid);
}

stream_assembler::streams::iterator stream_assembler::find_stream(std::uint32_t xid) {
  return std::ranges::find(streams_, xid, [](const auto& one) { return one->xid; });
}

std::vector<open_transaction*> stream_assembler::open() const {
  std::vector<open_transaction*> all;
  if (whole_)
    all.push_back(&whole_->content);
  for (const auto& stream : streams_)
    all.push_back(stream.get());
  return all;
}

/// Looks at rows and not at announcements: the server announces a table once, perhaps in a
/// transaction that is left out, and tables of which no row follows.
void stream_assembler::tell_changes(const collected_body& body, lsn commit) {
  const auto known = [this](const auto& shape) { return schemas_.knows(shape); };
  if (std::ranges::all_of(body.tables(), known))
    return;
  auto fresh = body.shapes();
  std::erase_if(fresh, known);
  for (const auto& shape : fresh) {
    if (auto changed = schemas_.compare(shape, commit))
      made_.items.emplace_back(std::move(changed));
    schemas_.learn(shape);
    made_.items.emplace_back(shape);
  }
}

result<void> stream_assembler::hand_out(delivery_item item) {
  const auto position = promised_by(item);
  auto promised = promise(position);
  if (!promised || position <= resume_)
    return promised;
  if (const auto* txn = std::get_if<transaction>(&item)) {
    ++news_.transactions;
    news_.changes += txn->events().size();
  }
  made_.items.push_back(std::move(item));
  return promised;
}

result<void> stream_assembler::promise(watermark position) {
  if (position <= resume_)
    return {};
  if (position <= reached_)
    return failure(reason::decode_failure);
  reached_ = position;
  return {};
}

result<void> stream_assembler::close_chunk(const std::shared_ptr<const chunk>& source) {
  const auto still_open = open();
  for (auto* const one : still_open)
    one->body->detach();
  if (auto room = memory_.make_room(still_open, news_); !room)
    return room;
  // What is kept may take more than the frames did that brought it: a truncate of many tables.
  const auto had = held_bytes_ + source->charge();
  held_bytes_ = std::min(resident_bytes(still_open), had);
  made_.charged_bytes = had - held_bytes_;
  made_.source = source;
  made_.reached = reached_;
  // A sink may take no messages, and has to learn all the same how far they have led.
  if (!made_.items.empty() && std::holds_alternative<transaction>(made_.items.back()))
    handed_out_.advance(promised_by(made_.items.back()));
  if (reached_ > handed_out_)
    made_.frontier = reached_;
  handed_out_ = reached_;
  return {};
}

} // namespace replicant
