// SPDX-License-Identifier: MIT
#include "replicant/core/assembly/schema_state.hpp"

#include "replicant/core/model/number_text.hpp"
#include "replicant/core/model/relation_text.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace replicant {

namespace {

// What stands before the shape: the version of the content, and whether the table has its name.
constexpr std::string_view has_name = "1+";
constexpr std::string_view lost_name = "1-";

bool restore(schema_memory& into, const state_entry& one) {
  const auto oid =
    parse_number<std::uint32_t>(std::string_view{one.name}.substr(state_name::schema.size()));
  const std::string_view content{one.content};
  const auto named = content.starts_with(has_name);
  if (!oid || !(named || content.starts_with(lost_name)))
    return false;
  auto shape = read_relation(content.substr(has_name.size()));
  if (!shape)
    return false;
  shape->oid = *oid;
  into.restore(std::make_shared<const relation>(std::move(*shape)), named);
  return true;
}

} // namespace

state_entry state_of(const schema_memory& known, std::uint32_t oid) {
  state_entry entry{std::string{state_name::schema} + std::to_string(oid), {}};
  if (const auto* const table = known.find(oid))
    entry.content = std::string{table->has_name ? has_name : lost_name} + to_text(*table->shape);
  return entry;
}

result<schema_memory> schemas_in(std::span<const state_entry> state) {
  schema_memory known;
  for (const auto& one : state)
    if (one.name.starts_with(state_name::schema) && !restore(known, one))
      return failure(reason::sink_unreadable);
  return known;
}

} // namespace replicant
