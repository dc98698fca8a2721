// SPDX-License-Identifier: MIT
#include "replicant/core/assembly/transaction_parts.hpp"

#include "replicant/core/assembly/event_block.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace replicant {

/// Subtransactions get their numbers when they first write, so a new one nearly always stands last.
transaction_parts::part& transaction_parts::find(std::uint32_t xid, std::uint32_t table) {
  const auto precedes = [&](const part& one) {
    return one.xid != xid ? one.xid < xid : one.table < table;
  };
  const auto is_it = [&](const part& one) { return one.xid == xid && one.table == table; };
  if (last_ < parts_.size() && is_it(parts_[last_]))
    return parts_[last_];
  auto place = parts_.empty() || precedes(parts_.back())
                 ? parts_.end()
                 : std::ranges::partition_point(parts_, precedes);
  if (place == parts_.end() || !is_it(*place))
    place = parts_.insert(place, {.xid = xid, .table = table, .first_event = seen_});
  last_ = static_cast<std::size_t>(place - parts_.begin());
  return *place;
}

void transaction_parts::add(std::uint32_t xid, std::uint32_t table) {
  ++find(xid, table).events;
  ++seen_;
  ++size_;
}

/// Takes nothing out of the list: of many subtransactions, in whatever order they end, each would
/// move all of the others.
void transaction_parts::roll_back(std::uint32_t xid) {
  for (auto& one : std::ranges::equal_range(parts_, xid, {}, &part::xid))
    size_ -= std::exchange(one.events, 0);
}

bool transaction_parts::was_rolled_back(std::uint32_t xid) const {
  const auto place = std::ranges::lower_bound(parts_, xid, {}, &part::xid);
  return place != parts_.end() && place->xid == xid && place->events == 0;
}

std::vector<std::uint32_t> transaction_parts::tables() const {
  auto parts = parts_;
  std::erase_if(
    parts, [](const part& one) { return one.events == 0 || one.table == kept_event::no_table; });
  std::ranges::sort(parts, [](const part& one, const part& other) {
    return std::tie(one.table, one.first_event) < std::tie(other.table, other.first_event);
  });
  const auto repeated = std::ranges::unique(parts, {}, &part::table);
  parts.erase(repeated.begin(), repeated.end());
  std::ranges::sort(parts, {}, &part::first_event);
  std::vector<std::uint32_t> tables(parts.size());
  std::ranges::transform(parts, tables.begin(), &part::table);
  return tables;
}

} // namespace replicant
