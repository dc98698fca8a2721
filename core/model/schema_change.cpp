// SPDX-License-Identifier: MIT
#include "replicant/core/model/schema_change.hpp"

#include "replicant/core/model/relation_text.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace replicant {

namespace {

const column* find(const relation& table, std::string_view name) {
  const auto found = std::ranges::find(table.columns, name, &column::name);
  return found == table.columns.end() ? nullptr : &*found;
}

bool same_type(const column& one, const column& other) {
  return one.type == other.type && one.type_modifier == other.type_modifier;
}

/// With the full row as identity the server marks every column, new ones too: that says nothing.
bool same_key(const relation& before, const relation& after) {
  if (before.identity == replica_identity::full)
    return true;
  const auto marked_in = [](const relation& table) {
    return [&table](const column& one) {
      const auto* const other = find(table, one.name);
      return !one.key || (other != nullptr && other->key);
    };
  };
  return std::ranges::all_of(before.columns, marked_in(after)) &&
         std::ranges::all_of(after.columns, marked_in(before));
}

} // namespace

std::string_view to_string(schema_change_kind kind) {
  switch (kind) {
    case schema_change_kind::column_added: return "column_added";
    case schema_change_kind::column_dropped: return "column_dropped";
    case schema_change_kind::type_changed: return "type_changed";
    case schema_change_kind::identity_changed: return "identity_changed";
    case schema_change_kind::table_renamed: return "table_renamed";
    case schema_change_kind::table_replaced: return "table_replaced";
  }
  return "unknown";
}

std::optional<schema_change_kind> parse_schema_change_kind(std::string_view text) {
  using enum schema_change_kind;
  for (const auto kind : {column_added, column_dropped, type_changed, identity_changed,
                          table_renamed, table_replaced})
    if (to_string(kind) == text)
      return kind;
  return std::nullopt;
}

std::vector<schema_difference> differences_between(const relation& before, const relation& after) {
  std::vector<schema_difference> found;
  if (before.schema != after.schema || before.name != after.name)
    found.push_back({schema_change_kind::table_renamed});
  if (before.identity != after.identity || !same_key(before, after))
    found.push_back({schema_change_kind::identity_changed});
  for (const auto& one : before.columns) {
    const auto* const now = find(after, one.name);
    if (now == nullptr)
      found.push_back({schema_change_kind::column_dropped, one.name});
    else if (!same_type(one, *now))
      found.push_back({schema_change_kind::type_changed, one.name});
  }
  for (const auto& one : after.columns)
    if (find(before, one.name) == nullptr)
      found.push_back({schema_change_kind::column_added, one.name});
  return found;
}

std::uint64_t fingerprint_of(const schema_change& what) {
  // FNV-1a.
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto text =
    std::to_string(what.after->oid) + " " + to_text(*what.before) + "\n" + to_text(*what.after);
  for (const auto byte : text)
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return hash;
}

std::string fingerprint_text(std::uint64_t fingerprint) {
  // As append_hex of core/values does it, which nothing in core/model may use.
  std::string text(16, '0');
  for (auto digit = text.rbegin(); digit != text.rend(); ++digit, fingerprint /= 16)
    *digit = "0123456789abcdef"[fingerprint % 16];
  return text;
}

std::optional<std::uint64_t> parse_fingerprint(std::string_view text) {
  std::uint64_t fingerprint = 0;
  const auto* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, fingerprint, 16);
  if (text.size() != 16 || error != std::errc{} || stop != end)
    return std::nullopt;
  return fingerprint;
}

result<void> refuse_destructive(const schema_change& what) {
  const auto first = std::ranges::find_if(
    what.differences, [](const schema_difference& one) { return is_destructive(one.kind); });
  if (first == what.differences.end())
    return {};
  return failure(
    fault{.why = reason::schema_change_destructive,
          .at = what.at,
          .relation = what.after->oid,
          .facts = {{{fact_kind::schema_change, static_cast<std::uint64_t>(first->kind)},
                     {fact_kind::fingerprint, fingerprint_of(what)}}}});
}

std::string to_string(const schema_change& what) {
  auto text = what.after->schema + "." + what.after->name;
  std::string_view before = ": ";
  for (const auto& one : what.differences) {
    text.append(std::exchange(before, ", ")).append(to_string(one.kind));
    if (one.kind == schema_change_kind::table_renamed)
      text.append(" from ").append(what.before->schema).append(".").append(what.before->name);
    else if (!one.column.empty())
      text.append(" ").append(one.column);
  }
  return text;
}

} // namespace replicant
