// SPDX-License-Identifier: MIT
#include "replicant/core/assembly/schema_memory.hpp"

#include <algorithm>
#include <utility>

namespace replicant {

namespace {

constexpr auto oid_of = [](const auto& table) { return table.shape->oid; };

bool same_name(const relation& one, const relation& other) {
  return one.name == other.name && one.schema == other.schema;
}

} // namespace

const schema_memory::known_table* schema_memory::find(std::uint32_t oid) const {
  if (last_ < tables_.size() && tables_[last_].shape->oid == oid)
    return &tables_[last_];
  const auto place = std::ranges::lower_bound(tables_, oid, {}, oid_of);
  if (place == tables_.end() || place->shape->oid != oid)
    return nullptr;
  last_ = static_cast<std::size_t>(place - tables_.begin());
  return &*place;
}

/// The other table that was last seen under this name. Looked for only when the name is news.
const schema_memory::known_table* schema_memory::find_rival(const relation& shape) const {
  const auto* const known = find(shape.oid);
  if (known != nullptr && known->has_name && same_name(*known->shape, shape))
    return nullptr;
  const auto found = std::ranges::find_if(tables_, [&](const known_table& one) {
    return one.has_name && one.shape->oid != shape.oid && same_name(*one.shape, shape);
  });
  return found == tables_.end() ? nullptr : &*found;
}

bool schema_memory::knows(const std::shared_ptr<const relation>& shape) const {
  const auto* const known = find(shape->oid);
  return known != nullptr && known->shape == shape && known->has_name;
}

std::shared_ptr<const schema_change>
schema_memory::compare(const std::shared_ptr<const relation>& shape, lsn at) const {
  const auto* const known = find(shape->oid);
  const auto* const rival = find_rival(*shape);
  const auto* const before = known != nullptr ? known : rival;
  if (before == nullptr)
    return nullptr;
  auto differences = differences_between(*before->shape, *shape);
  if (rival != nullptr)
    differences.insert(differences.begin(), {schema_change_kind::table_replaced});
  if (differences.empty())
    return nullptr;
  return std::make_shared<const schema_change>(
    schema_change{at, before->shape, shape, std::move(differences)});
}

std::vector<std::uint32_t> schema_memory::learn(const std::shared_ptr<const relation>& shape) {
  std::vector<std::uint32_t> touched{shape->oid};
  if (const auto* const rival = find_rival(*shape)) {
    const auto rival_oid = rival->shape->oid;
    touched.push_back(rival_oid);
    // One that makes its table anew every night must not fill the memory.
    std::erase_if(tables_, [&](const known_table& one) {
      const auto goes =
        !one.has_name && one.shape->oid != shape->oid && same_name(*one.shape, *shape);
      if (goes)
        touched.push_back(one.shape->oid);
      return goes;
    });
    std::ranges::lower_bound(tables_, rival_oid, {}, oid_of)->has_name = false;
  }
  restore(shape, true);
  return touched;
}

void schema_memory::restore(std::shared_ptr<const relation> shape, bool has_name) {
  const auto oid = shape->oid;
  const auto place = std::ranges::lower_bound(tables_, oid, {}, oid_of);
  if (place != tables_.end() && place->shape->oid == oid)
    *place = {std::move(shape), has_name};
  else
    tables_.insert(place, {std::move(shape), has_name});
}

} // namespace replicant
