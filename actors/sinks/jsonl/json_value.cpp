// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/json_value.hpp"

#include "replicant/actors/sinks/jsonl/json_document.hpp"
#include "replicant/actors/sinks/jsonl/json_text.hpp"
#include "replicant/core/values/array_literal.hpp"
#include "replicant/core/values/binary_text.hpp"

namespace replicant {

namespace {

constexpr std::size_t kept_capacity = std::size_t{1024} * 1024;

} // namespace

value_form form_of(const type_shape& type, value_form numeric) {
  if (type.kind == type_kind::array)
    return value_form::array;
  if (type.kind != type_kind::scalar)
    return value_form::string;
  switch (type.reads_as) {
    case 16: return value_form::boolean;    // bool
    case 20:                                // int8
    case 21:                                // int2
    case 23:                                // int4
    case 700:                               // float4
    case 701: return value_form::number;    // float8
    case 114:                               // json
    case 3802: return value_form::document; // jsonb
    case 1700: return numeric;              // numeric
    default: return value_form::string;
  }
}

void append_flat_value(std::string& out, value_form form, std::string_view text) {
  if (form == value_form::number && is_json_number(text))
    out.append(text);
  else if (form == value_form::boolean && text == "t")
    out.append("true");
  else if (form == value_form::boolean && text == "f")
    out.append("false");
  else
    append_json_string(out, text);
}

value_outcome value_writer::append(std::string& out, const type_shape& type, value_form form,
                                   const cell& value, documents how) {
  auto text = value.bytes;
  if (value.kind == cell_kind::binary) {
    // PostgreSQL's text of it obeys the same rules: both ways lead to the same line.
    printed_.clear();
    if (!append_binary_text(printed_, type, value.bytes))
      return value_outcome::broken;
    text = printed_;
  }
  const auto start = out.size();
  if (append_text(out, type, form, text, how, 0))
    return value_outcome::as_asked;
  out.resize(start);
  static_cast<void>(append_text(out, type, form, text, documents::as_text, 0));
  return value_outcome::as_text;
}

// NOLINTBEGIN(misc-no-recursion): as deep as the type is

bool value_writer::append_text(std::string& out, const type_shape& type, value_form form,
                               std::string_view text, documents how, std::size_t level) {
  if (form == value_form::array)
    return append_array(out, type, text, how, level);
  if (form == value_form::document && how == documents::embedded)
    return append_json_document(out, text);
  append_flat_value(out, form, text);
  return true;
}

bool value_writer::append_array(std::string& out, const type_shape& type, std::string_view text,
                                documents how, std::size_t level) {
  const auto start = out.size();
  const auto form = form_of(*type.element);
  array_literal literal{text, type.delimiter, element_text(level)};
  for (auto follows = false;;) {
    const auto token = literal.next();
    if (follows && token != array_token::close && token != array_token::end)
      out.push_back(',');
    follows = token != array_token::open;
    switch (token) {
      case array_token::open: out.push_back('['); break;
      case array_token::close: out.push_back(']'); break;
      case array_token::null: out.append("null"); break;
      case array_token::value:
        if (!append_text(out, *type.element, form, literal.value(), how, level + 1))
          return false;
        break;
      case array_token::end: return true;
      case array_token::malformed:
        out.resize(start);
        append_json_string(out, text);
        return true;
    }
  }
}

// NOLINTEND(misc-no-recursion)

std::string& value_writer::element_text(std::size_t level) {
  // Elements of the levels above are still being read.
  while (elements_.size() <= level)
    elements_.emplace_back();
  return elements_[level];
}

void value_writer::shrink() {
  if (printed_.capacity() > kept_capacity)
    printed_ = {};
  for (auto& one : elements_)
    if (one.capacity() > kept_capacity)
      one = {};
}

} // namespace replicant
