// SPDX-License-Identifier: MIT
#include "replicant/core/assembly/collected_body.hpp"

#include "replicant/core/assembly/body_cursor.hpp"

#include <algorithm>
#include <utility>

namespace replicant {

namespace {

/// What trickles in is gathered in a block up to this size; more at once makes a block of its own.
constexpr std::size_t gathered_bytes = std::size_t{64} * 1024;

} // namespace

void collected_body::add(const std::shared_ptr<const relation>& table, kept_event one) {
  one.table = number_of(table);
  keep(one);
}

void collected_body::add_message(const kept_event& one) {
  has_messages_ = true;
  keep(one);
}

void collected_body::keep(const kept_event& one) {
  parts_.add(one.xid, one.table);
  attached_.push_back(one);
  attached_bytes_ += event_block::size_of(one);
}

std::uint32_t collected_body::number_of(const std::shared_ptr<const relation>& table) {
  // Rows come in runs of one table.
  if (!attached_.empty() && attached_.back().table != kept_event::no_table &&
      tables_[attached_.back().table] == table)
    return attached_.back().table;
  const auto place = std::ranges::lower_bound(numbers_, table.get(), {}, &numbered_table::shape);
  if (place != numbers_.end() && place->shape == table.get())
    return place->number;
  const auto number = static_cast<std::uint32_t>(tables_.size());
  tables_.push_back(table);
  numbers_.insert(place, {table.get(), number});
  return number;
}

void collected_body::detach() {
  if (parts_.has_rolled_back())
    std::erase_if(attached_, [this](const kept_event& one) {
      const auto gone = parts_.was_rolled_back(one.xid);
      attached_bytes_ -= gone ? event_block::size_of(one) : 0;
      return gone;
    });
  if (attached_.empty())
    return;
  if (blocks_.empty() || blocks_.back().bytes().size() + attached_bytes_ > gathered_bytes)
    blocks_.emplace_back().reserve(attached_bytes_);
  for (const auto& one : attached_)
    blocks_.back().append(one);
  resident_bytes_ += std::exchange(attached_bytes_, 0);
  attached_.clear();
}

event_block collected_body::without_rolled_back(const event_block& block) const {
  std::vector<kept_event> left;
  std::size_t size = 0;
  event_block_reader events{block.bytes()};
  while (const auto one = events.next())
    if (!parts_.was_rolled_back(one->xid)) {
      left.push_back(*one);
      size += event_block::size_of(*one);
    }
  event_block kept;
  kept.reserve(size);
  for (const auto& one : left)
    kept.append(one);
  return kept;
}

void collected_body::compact() {
  if (!parts_.has_rolled_back())
    return;
  resident_bytes_ = 0;
  for (auto& block : blocks_) {
    block = without_rolled_back(block);
    resident_bytes_ += block.bytes().size();
  }
  std::erase_if(blocks_, [](const event_block& block) { return block.bytes().empty(); });
}

result<std::uint64_t> collected_body::spill(spill_area& area, std::uint32_t xid) {
  const auto before = spilled_bytes();
  for (const auto& block : blocks_) {
    if (!file_) {
      auto made = area.create(xid);
      if (!made)
        return failure(made.error());
      file_ = std::move(*made);
    }
    if (auto written = file_->append(block.bytes()); !written)
      return failure(written.error());
  }
  blocks_ = {};
  resident_bytes_ = 0;
  return spilled_bytes() - before;
}

std::vector<std::shared_ptr<const relation>> collected_body::shapes() const {
  std::vector<std::shared_ptr<const relation>> shapes;
  for (const auto number : parts_.tables())
    shapes.push_back(tables_[number]);
  return shapes;
}

std::unique_ptr<event_cursor> collected_body::open() const {
  return std::make_unique<body_cursor>(*this);
}

} // namespace replicant
