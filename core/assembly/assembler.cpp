// SPDX-License-Identifier: MIT
#include "replicant/core/assembly/assembler.hpp"

#include "replicant/core/protocol/replication_frame.hpp"

#include <algorithm>
#include <iterator>
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
  if (!outcome) {
    auto what = outcome.error();
    what.at = at_;
    return failure(what);
  }
  // A mark inside an open transaction lies at or below its commit, which is still to come.
  if (source->mark && !open_)
    reached_.advance(*source->mark);
  close_chunk(source);
  return std::move(made_);
}

result<void> stream_assembler::on_frame(std::string_view frame) {
  const auto outer = decode_frame(frame);
  if (!outer)
    return failure(outer.error());
  const auto* data = std::get_if<xlog_data>(&*outer);
  if (data == nullptr)
    return failure(reason::decode_failure);
  at_ = data->start;
  payload_ = data->payload;
  auto message = decoder_.decode(payload_);
  if (!message)
    return failure(message.error());
  return std::visit([this](auto& one) { return on(one); }, *message);
}

result<void> stream_assembler::on(const begin_message& message) {
  if (open_)
    return failure(reason::decode_failure);
  open_ = open_transaction{message, std::make_shared<memory_body>()};
  return {};
}

result<void> stream_assembler::on(const commit_message& message) {
  if (!open_ || open_->begin.final_lsn != message.commit_lsn)
    return failure(reason::decode_failure);
  const auto done = std::move(*open_);
  open_.reset();
  // Servers before 15 send begin and commit of transactions without a published change.
  if (done.body->size() == 0)
    return promise(watermark::through(message.commit_lsn));
  if (!resume_.covers(message.commit_lsn))
    tell_changes(*done.body, message.commit_lsn);
  return hand_out(transaction{done.begin.xid, message.commit_lsn, message.commit_time, done.body});
}

result<void> stream_assembler::on(const row_message& message) {
  const auto* shape = relations_.find(message.relation);
  if (!open_ || shape == nullptr)
    return failure(fault{.why = reason::decode_failure, .relation = message.relation});
  const auto width = (*shape)->columns.size();
  const auto fits = [width](tuple cells, bool present) {
    return !present || cells.size() == width;
  };
  if (!fits(message.record, message.op != operation::remove) ||
      !fits(message.old, message.old_kind != old_image::none))
    return failure(fault{.why = reason::decode_failure, .relation = message.relation});
  open_->body->add(*shape, payload_);
  return {};
}

result<void> stream_assembler::on(const truncate_message& message) {
  if (!open_)
    return failure(reason::decode_failure);
  for (const auto oid : message.relations) {
    const auto* shape = relations_.find(oid);
    if (shape == nullptr)
      return failure(fault{.why = reason::decode_failure, .relation = oid});
    open_->body->add(*shape, payload_);
  }
  return {};
}

result<void> stream_assembler::on(const logical_message& message) {
  if (message.transactional) {
    if (!open_)
      return failure(reason::decode_failure);
    open_->body->add_message(payload_);
    return {};
  }
  // Sent while it is decoded, never between begin and commit of this protocol version.
  if (open_)
    return failure(reason::decode_failure);
  return hand_out(message);
}

result<void> stream_assembler::on(relation& shape) {
  relations_.announce(std::move(shape));
  return {};
}

/// Looks at rows and not at announcements: the server announces a table once, perhaps in a
/// transaction that is left out, and tables of which no row follows.
void stream_assembler::tell_changes(const memory_body& body, lsn commit) {
  std::vector<memory_body::used_shape> fresh;
  std::ranges::copy_if(body.shapes(), std::back_inserter(fresh),
                       [this](const auto& one) { return !schemas_.knows(one.shape); });
  std::ranges::sort(fresh, {}, &memory_body::used_shape::first_event);
  for (const auto& one : fresh) {
    if (auto changed = schemas_.compare(one.shape, commit))
      made_.items.emplace_back(std::move(changed));
    schemas_.learn(one.shape);
    made_.items.emplace_back(one.shape);
  }
}

result<void> stream_assembler::hand_out(delivery_item item) {
  const auto position = promised_by(item);
  auto promised = promise(position);
  if (promised && position > resume_)
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

void stream_assembler::close_chunk(const std::shared_ptr<const chunk>& source) {
  if (open_)
    open_->body->detach();
  held_bytes_ += source->charge();
  made_.charged_bytes = held_bytes_ - open_bytes();
  held_bytes_ = open_bytes();
  made_.source = source;
  made_.reached = reached_;
  // A sink may take no messages, and has to learn all the same how far they have led.
  if (!made_.items.empty() && std::holds_alternative<transaction>(made_.items.back()))
    handed_out_.advance(promised_by(made_.items.back()));
  if (reached_ > handed_out_)
    made_.frontier = reached_;
  handed_out_ = reached_;
}

} // namespace replicant
