// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/tail/change_text.hpp"

#include "replicant/actors/sinks/tail/field_lines.hpp"
#include "replicant/actors/sinks/tail/printable.hpp"

#include <algorithm>
#include <utility>

namespace replicant {

namespace {

constexpr auto arrow = std::string_view{" -> "};

text_piece title_of(operation op) {
  switch (op) {
    case operation::insert: return {tint::added, "INSERT"};
    case operation::update: return {tint::changed, "UPDATE"};
    case operation::remove: return {tint::removed, "DELETE"};
    case operation::truncate: return {tint::emptied, "TRUNCATE"};
  }
  return {};
}

std::vector<text_piece> heading(const text_style& style, const change& one) {
  return {title_of(one.op),
          {tint::none, " "},
          {tint::strong, printable_name(one.table->schema, style.characters) + "." +
                           printable_name(one.table->name, style.characters)}};
}

text_piece value_of(const cell& one, const text_style& style, std::size_t columns) {
  switch (one.kind) {
    case cell_kind::null: return {tint::faint, "NULL"};
    case cell_kind::unchanged: return {tint::faint, "(unchanged)"};
    case cell_kind::text:
    case cell_kind::binary: break;
  }
  return {tint::none, printable_value(one.bytes, style.characters, columns)};
}

/// Two values that share `columns`: what the shorter does not need is the other's.
std::pair<text_piece, text_piece> values_of(const cell& old, const cell& fresh,
                                            const text_style& style, std::size_t columns) {
  auto left = value_of(old, style, columns);
  auto right = value_of(fresh, style, columns);
  const auto left_columns = columns_of(left.text);
  const auto right_columns = columns_of(right.text);
  if (columns != any_width && left_columns + right_columns > columns) {
    left = value_of(old, style, std::max(columns / 2, columns - std::min(columns, right_columns)));
    right = value_of(fresh, style, columns - columns_of(left.text));
  }
  return {std::move(left), std::move(right)};
}

bool same(const cell& old, const cell& fresh) {
  return fresh.kind == cell_kind::unchanged ||
         (old.kind == fresh.kind && (old.kind == cell_kind::null || old.bytes == fresh.bytes));
}

/// One change on its way into a text.
class change_writer {
public:
  change_writer(std::string& out, const text_style& style, const change& one,
                const key_columns& keys)
    : style_{style}, change_{one}, keys_{keys}, lines_{out, style} {
    lines_.add(heading(style, one));
  }

  void write() {
    // The key first: it says which row this is.
    for (const auto in_key : {true, false})
      for (std::size_t i = 0; i < keys_.size(); ++i)
        if (keys_[i] == in_key)
          write_column(i);
    if (change_.op == operation::truncate)
      write_options();
    else if (!any_)
      lines_.add({{tint::faint, "(nothing to show)"}});
    lines_.end();
  }

private:
  void write_column(std::size_t at) {
    if (change_.op == operation::update && knows_old(at))
      write_both(at, change_.old[at], change_.record[at]);
    else if (change_.op == operation::insert || change_.op == operation::update)
      write_one(at, change_.record[at]);
    else if (change_.op == operation::remove && knows_old(at))
      write_one(at, change_.old[at]);
  }

  [[nodiscard]] bool knows_old(std::size_t at) const {
    return change_.old_kind == old_image::full ||
           (change_.old_kind == old_image::key && change_.table->columns[at].key);
  }

  void write_one(std::size_t at, const cell& one) {
    const auto name = name_of(at);
    add(at, name, {value_of(one, style_, room_behind(name))});
  }

  void write_both(std::size_t at, const cell& old, const cell& fresh) {
    const auto is_known = std::ranges::find(keys_, true) != keys_.end();
    if (!same(old, fresh)) {
      const auto name = name_of(at);
      const auto room = room_behind(name);
      auto [left, right] =
        values_of(old, fresh, style_, room == any_width ? room : room - arrow.size());
      add(at, name, {std::move(left), {tint::changed, std::string{arrow}}, std::move(right)});
    } else if (keys_[at] || !is_known) {
      write_one(at, fresh.kind == cell_kind::unchanged ? old : fresh);
    }
  }

  void write_options() {
    if (change_.cascade)
      lines_.add({{tint::none, "cascade"}});
    if (change_.restart_identity)
      lines_.add({{tint::none, "restart identity"}});
  }

  [[nodiscard]] std::string name_of(std::size_t at) const {
    return printable_name(change_.table->columns[at].name, style_.characters);
  }

  /// What a line of its own leaves for the value, beside the name, "=" and two brackets.
  [[nodiscard]] std::size_t room_behind(const std::string& name) const {
    constexpr std::size_t least = 16;
    const auto room = lines_.room();
    const auto taken = columns_of(name) + 3;
    return room == any_width ? room : std::max(least, room - std::min(room, taken));
  }

  void add(std::size_t at, const std::string& name, std::vector<text_piece> values) {
    std::vector<text_piece> field{{tint::faint, (keys_[at] ? "[" : "") + name + "="}};
    std::ranges::move(values, std::back_inserter(field));
    if (keys_[at])
      field.push_back({tint::faint, "]"});
    lines_.add(field);
    any_ = true;
  }

  const text_style& style_;
  const change& change_;
  const key_columns& keys_;
  field_lines lines_;
  bool any_ = false;
};

bool fits(tuple row, const relation& table) {
  return row.size() == table.columns.size() &&
         std::ranges::none_of(row, [](const cell& c) { return c.kind == cell_kind::binary; });
}

bool is_sound(const change& one) {
  const auto has_record = one.op == operation::insert || one.op == operation::update;
  return (!has_record || fits(one.record, *one.table)) &&
         (one.old_kind == old_image::none || fits(one.old, *one.table));
}

} // namespace

key_columns announced_key(const relation& table) {
  key_columns keys;
  for (const auto& one : table.columns)
    keys.push_back(one.key && table.identity != replica_identity::full);
  return keys;
}

result<void> append_change(std::string& out, const text_style& style, const change& one,
                           const key_columns& keys) {
  if (!is_sound(one) || keys.size() != one.table->columns.size())
    return failure(fault{.why = reason::decode_failure, .relation = one.table->oid});
  change_writer{out, style, one, keys}.write();
  return {};
}

void append_message_text(std::string& out, const text_style& style, const logical_message& one) {
  field_lines lines{out, style};
  lines.add(
    {{tint::strong, "MESSAGE"}, {tint::none, " " + printable_name(one.prefix, style.characters)}});
  lines.add({value_of({cell_kind::text, one.content}, style, lines.room())});
  if (!one.transactional)
    lines.add({{tint::faint, "(outside of transactions, " + to_string(one.at) + ")"}});
  lines.end();
}

} // namespace replicant
