// SPDX-License-Identifier: MIT
#include "replicant/core/assembly/memory_body.hpp"

#include "replicant/core/protocol/pgoutput.hpp"

#include <algorithm>

namespace replicant {

/// One pass: decodes an event per call into the same object.
class memory_cursor final : public event_cursor {
public:
  explicit memory_cursor(const memory_body& body) : body_{&body} {}

  const event* next() override {
    if (at_ == body_->events_.size())
      return nullptr;
    const auto& stored = body_->events_[at_];
    auto decoded = decoder_.decode({stored.bytes, stored.length});
    if (auto* row = std::get_if<row_message>(&*decoded))
      current_ = change{.op = row->op,
                        .table = stored.table,
                        .record = row->record,
                        .old = row->old,
                        .old_kind = row->old_kind};
    else if (auto* truncation = std::get_if<truncate_message>(&*decoded))
      current_ = change{.op = operation::truncate,
                        .table = stored.table,
                        .cascade = truncation->cascade,
                        .restart_identity = truncation->restart_identity};
    else
      current_ = std::get<logical_message>(*decoded);
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
  // Rows come in runs of one table; a short look back keeps this list small without a set.
  const auto recent = shapes_.end() - std::min<std::ptrdiff_t>(8, std::ssize(shapes_));
  if (std::find(recent, shapes_.end(), table) == shapes_.end())
    shapes_.push_back(table);
  events_.push_back({table.get(), message.data(), static_cast<std::uint32_t>(message.size())});
}

void memory_body::add_message(std::string_view message) {
  events_.push_back({nullptr, message.data(), static_cast<std::uint32_t>(message.size())});
}

void memory_body::detach() {
  std::size_t bytes = 0;
  for (auto i = attached_from_; i < events_.size(); ++i)
    bytes += events_[i].length;
  if (bytes > 0) {
    auto& block = arena_.emplace_back();
    block.reserve(bytes);
    for (auto i = attached_from_; i < events_.size(); ++i) {
      auto& stored = events_[i];
      const auto* const moved = block.data() + block.size();
      block.insert(block.end(), stored.bytes, stored.bytes + stored.length);
      stored.bytes = moved;
    }
  }
  detached_bytes_ += bytes;
  attached_from_ = events_.size();
}

std::unique_ptr<event_cursor> memory_body::open() const {
  return std::make_unique<memory_cursor>(*this);
}

} // namespace replicant
