// SPDX-License-Identifier: MIT
#include "replicant/core/assembly/memory_body.hpp"

#include "replicant/core/protocol/pgoutput.hpp"

#include <algorithm>
#include <utility>

namespace replicant {

namespace {

event row_change(const row_message& row, const relation* table) {
  return change{
    .op = row.op, .table = table, .record = row.record, .old = row.old, .old_kind = row.old_kind};
}

event other_event(const pgoutput_message& message, const relation* table) {
  if (const auto* truncation = std::get_if<truncate_message>(&message))
    return change{.op = operation::truncate,
                  .table = table,
                  .cascade = truncation->cascade,
                  .restart_identity = truncation->restart_identity};
  return std::get<logical_message>(message);
}

} // namespace

/// One pass: decodes an event per call into the same object.
class memory_cursor final : public event_cursor {
public:
  explicit memory_cursor(const memory_body& body) : body_{&body} {}

  const event* next() override {
    if (at_ == body_->events_.size())
      return nullptr;
    const auto& stored = body_->events_[at_];
    const std::string_view message{stored.bytes, stored.length};
    if (pgoutput_decoder::is_row(message))
      current_ = row_change(*decoder_.decode_row(message), stored.table);
    else
      current_ = other_event(*decoder_.decode(message), stored.table);
    const auto ordinal = static_cast<std::uint32_t>(at_++);
    std::visit([ordinal](auto& one) { one.ordinal = ordinal; }, current_);
    return &current_;
  }

private:
  const memory_body* body_;
  std::size_t at_ = 0;
  pgoutput_decoder decoder_;
  event current_;
};

void memory_body::add(const std::shared_ptr<const relation>& table, std::string_view message) {
  // Rows come in runs of one table.
  if (events_.empty() || events_.back().table != table.get()) {
    const auto place = std::ranges::lower_bound(shapes_, table, {}, &used_shape::shape);
    if (place == shapes_.end() || place->shape != table)
      shapes_.insert(place, {table, events_.size()});
  }
  events_.push_back({table.get(), message.data(), static_cast<std::uint32_t>(message.size())});
}

void memory_body::add_message(std::string_view message) {
  events_.push_back({nullptr, message.data(), static_cast<std::uint32_t>(message.size())});
}

void memory_body::detach() {
  // The events of one truncate share one message.
  const auto repeats = [this](std::size_t i) {
    return i > attached_from_ && events_[i].bytes == events_[i - 1].bytes;
  };
  std::size_t bytes = 0;
  for (auto i = attached_from_; i < events_.size(); ++i)
    bytes += repeats(i) ? 0 : events_[i].length;
  if (bytes > 0) {
    auto& block = arena_.emplace_back();
    block.reserve(bytes);
    const char* before = nullptr;
    for (auto i = attached_from_; i < events_.size(); ++i) {
      auto& stored = events_[i];
      const auto* const original = std::exchange(stored.bytes, block.data() + block.size());
      if (original == before)
        stored.bytes = events_[i - 1].bytes;
      else
        block.insert(block.end(), original, original + stored.length);
      before = original;
    }
  }
  detached_bytes_ += bytes;
  attached_from_ = events_.size();
}

std::unique_ptr<event_cursor> memory_body::open() const {
  return std::make_unique<memory_cursor>(*this);
}

} // namespace replicant
