// SPDX-License-Identifier: MIT
#include "replicant/core/assembly/relation_cache.hpp"

#include <algorithm>

namespace replicant {

namespace {

constexpr auto oid_of = [](const std::shared_ptr<const relation>& shape) { return shape->oid; };

} // namespace

void relation_cache::announce(relation shape) {
  const auto place = std::ranges::lower_bound(entries_, shape.oid, {}, oid_of);
  const auto known = place != entries_.end() && (*place)->oid == shape.oid;
  if (known && **place == shape)
    return;
  auto made = std::make_shared<const relation>(std::move(shape));
  if (known)
    *place = std::move(made);
  else
    entries_.insert(place, std::move(made));
}

const std::shared_ptr<const relation>* relation_cache::find(std::uint32_t oid) const {
  if (last_ < entries_.size() && entries_[last_]->oid == oid)
    return &entries_[last_];
  const auto place = std::ranges::lower_bound(entries_, oid, {}, oid_of);
  if (place == entries_.end() || (*place)->oid != oid)
    return nullptr;
  last_ = static_cast<std::size_t>(place - entries_.begin());
  return &*place;
}

} // namespace replicant
