// SPDX-License-Identifier: MIT
#include "replicant/core/assembly/relation_cache.hpp"

#include <algorithm>

namespace replicant {

namespace {

constexpr auto oid_of = [](const std::shared_ptr<const relation>& shape) { return shape->oid; };

} // namespace

void relation_cache::announce(relation shape, const relation_cache& others) {
  const auto* known = find(shape.oid);
  // Behind another shape an old one is new again: it has to be told that the table has it now.
  if (known == nullptr)
    known = others.find(shape.oid);
  if (known != nullptr && **known == shape)
    return put(*known);
  put(std::make_shared<const relation>(std::move(shape)));
}

void relation_cache::adopt(const relation_cache& committed) {
  for (const auto& shape : committed.entries_)
    put(shape);
}

void relation_cache::put(entry shape) {
  const auto place = std::ranges::lower_bound(entries_, shape->oid, {}, oid_of);
  if (place != entries_.end() && (*place)->oid == shape->oid)
    *place = std::move(shape);
  else
    entries_.insert(place, std::move(shape));
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
