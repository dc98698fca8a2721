// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/tail/text_format.hpp"

#include "replicant/actors/sinks/tail/printable.hpp"

#include <algorithm>
#include <utility>

namespace replicant {

namespace {

std::string_view stroke(const text_style& style) {
  return style.characters == charset::utf8 ? "\u2500" : "-";
}

/// A line across the terminal that begins with `text`.
void append_border(std::string& out, const text_style& style, tint with, const std::string& text) {
  std::string line;
  line.append(stroke(style)).append(stroke(style)).append(" ").append(text).append(" ");
  constexpr std::size_t least = 2;
  const auto columns = columns_of(line);
  for (auto left = std::max(least, style.width - std::min(style.width, columns)); left > 0; --left)
    line.append(stroke(style));
  append_tinted(out, style, with, line);
  out.push_back('\n');
}

std::string count_of(const shown_part& part) {
  const auto counted = std::to_string(part.wanted) + (part.wanted == 1 ? " change" : " changes");
  return part.cut() ? "the first " + std::to_string(part.shown) + " of " + counted : counted;
}

key_columns columns_named(const std::vector<std::string>& names, const relation& table) {
  key_columns keys;
  for (const auto& one : table.columns)
    keys.push_back(std::ranges::find(names, one.name) != names.end());
  return keys;
}

} // namespace

void text_format::header(std::string& /*out*/, const session_identity& /*source*/) {
  // Where it is connected is said elsewhere, to whoever watches.
}

void text_format::gap(std::string& out, const stream_gap& what) {
  style_ = style_of_();
  const auto place = [](lsn position, timestamp time) {
    return to_string(position) + " (" + to_string(time) + ")";
  };
  append_tinted(out, style_, tint::warning,
                "-- reconnected; what was committed between " +
                  place(what.after.position(), what.after_time) + " and " +
                  place(what.resumed, what.resumed_time) + " was not seen");
  out.push_back('\n');
}

void text_format::schema_change(std::string& out, const replicant::schema_change& what) {
  style_ = style_of_();
  const auto name = [this](const relation& table) {
    return printable_name(table.schema, style_.characters) + "." +
           printable_name(table.name, style_.characters);
  };
  auto text = "-- " + name(*what.after) + " has changed:";
  std::string_view before = " ";
  for (const auto& one : what.differences) {
    text.append(std::exchange(before, ", ")).append(to_string(one.kind));
    if (one.kind == schema_change_kind::table_renamed)
      text.append(" from ").append(name(*what.before));
    else if (!one.column.empty())
      text.append(" ").append(printable_name(one.column, style_.characters));
  }
  append_tinted(out, style_, tint::warning, text);
  out.push_back('\n');
}

void text_format::begin(std::string& out, const transaction& txn, const shown_part& part) {
  style_ = style_of_();
  std::erase_if(tables_, [](const auto& one) { return !one.second.certain; });
  append_border(out, style_, tint::faint,
                "transaction " + std::to_string(txn.xid) + ", " + to_string(txn.commit_lsn) + ", " +
                  to_string(txn.commit_time) + ", " + count_of(part));
}

result<void> text_format::add(std::string& out, const event& one) {
  if (const auto* row = std::get_if<change>(&one))
    return append_change(out, style_, *row, keys_of(*row->table));
  append_message_text(out, style_, std::get<logical_message>(one));
  return {};
}

void text_format::end(std::string& /*out*/, const transaction& /*txn*/,
                      const shown_part& /*part*/) {
  // The next border ends it.
}

void text_format::message(std::string& out, const logical_message& one) {
  style_ = style_of_();
  append_message_text(out, style_, one);
}

const key_columns& text_format::keys_of(const relation& table) {
  auto& known = tables_[table.oid];
  if (known.shape == table)
    return known.keys;
  known = {.shape = table, .keys = announced_key(table)};
  if (table.identity == replica_identity::full && primary_key_) {
    const auto names = primary_key_(table.oid);
    known.certain = names.has_value();
    if (names)
      known.keys = columns_named(*names, table);
  }
  return known.keys;
}

} // namespace replicant
