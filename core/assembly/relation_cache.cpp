// SPDX-License-Identifier: MIT
#include "replicant/core/assembly/relation_cache.hpp"

#include <algorithm>

namespace replicant {

void relation_cache::announce(relation shape, std::uint64_t number, const relation_cache& others) {
  const auto* known = find(shape.oid);
  // Behind another shape an old one is new again: it has to be told that the table has it now.
  if (known == nullptr)
    known = others.find(shape.oid);
  if (known != nullptr && **known == shape)
    return put({*known, number});
  put({std::make_shared<const relation>(std::move(shape)), number});
}

void relation_cache::adopt(const relation_cache& committed) {
  for (const auto& one : committed.entries_)
    put(one);
}

void relation_cache::put(entry latest) {
  const auto place = std::ranges::lower_bound(entries_, oid_of(latest), {}, oid_of);
  if (place == entries_.end() || oid_of(*place) != oid_of(latest))
    entries_.insert(place, std::move(latest));
  else if (place->number < latest.number)
    *place = std::move(latest);
}

const std::shared_ptr<const relation>* relation_cache::find(std::uint32_t oid) const {
  if (last_ < entries_.size() && oid_of(entries_[last_]) == oid)
    return &entries_[last_].shape;
  const auto place = std::ranges::lower_bound(entries_, oid, {}, oid_of);
  if (place == entries_.end() || oid_of(*place) != oid)
    return nullptr;
  last_ = static_cast<std::size_t>(place - entries_.begin());
  return &place->shape;
}

} // namespace replicant
