// SPDX-License-Identifier: MIT
#include "replicant/core/values/binary_container.hpp"

#include "replicant/core/values/binary_frame.hpp"
#include "replicant/core/values/binary_quoting.hpp"
#include "replicant/core/values/binary_scalar.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace replicant {

namespace {

// NOLINTBEGIN(misc-no-recursion): values nest, at most as deep as `levels` allows.

/// Prints a value that takes the next `length` bytes.
void print_sized(std::string& out, const type_shape& type, byte_reader& in, std::int32_t length,
                 int levels) {
  // A negative length becomes one that does not fit.
  byte_reader value{in.bytes(static_cast<std::size_t>(length))};
  if (in.failed())
    return;
  print_value(out, type, value, levels);
  if (!value.finished())
    in.fail();
}

/// Prints a value that takes the next `length` bytes, in quotes where it needs them.
void print_quoted(std::string& out, const type_shape& type, byte_reader& in, std::int32_t length,
                  const quoting& rule, int levels) {
  const auto start = out.size();
  print_sized(out, type, in, length, levels);
  if (rule.concerns(std::string_view{out}.substr(start)))
    rule.enclose(out, start);
}

bool is_null_word(std::string_view text) {
  constexpr std::string_view word = "null";
  return std::ranges::equal(text, word, {}, [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
}

void print_element(std::string& out, const type_shape& type, byte_reader& in, const quoting& rule,
                   int levels) {
  const auto length = in.i32();
  if (length == null_length) {
    out += "NULL";
    return;
  }
  const auto start = out.size();
  print_quoted(out, type, in, length, rule, levels);
  if (is_null_word(std::string_view{out}.substr(start)))
    rule.enclose(out, start);
}

void print_array(std::string& out, const type_shape& type, byte_reader& in, int levels) {
  const array_frame frame{in};
  if (in.failed() || frame.elements() == 0) {
    out += "{}";
    return;
  }
  frame.append_bounds(out);
  const auto rule = quoting::of_element(type.delimiter);
  for (std::size_t index = 0; index < frame.elements() && !in.failed(); ++index) {
    if (index != 0)
      out += type.delimiter;
    out.append(frame.braces_at(index), '{');
    print_element(out, *type.element, in, rule, levels);
    out.append(frame.braces_at(index + 1), '}');
  }
}

void print_range(std::string& out, const type_shape& type, byte_reader& in, int levels) {
  constexpr auto rule = quoting::of_bound();
  const range_frame frame{in};
  if (frame.has(range_flag::empty)) {
    out += "empty";
    return;
  }
  out += frame.has(range_flag::lower_inclusive) ? '[' : '(';
  if (!frame.has(range_flag::lower_infinite))
    print_quoted(out, *type.element, in, in.i32(), rule, levels);
  out += ',';
  if (!frame.has(range_flag::upper_infinite))
    print_quoted(out, *type.element, in, in.i32(), rule, levels);
  out += frame.has(range_flag::upper_inclusive) ? ']' : ')';
}

void print_multirange(std::string& out, const type_shape& type, byte_reader& in, int levels) {
  const auto count = in.u32();
  if (count > in.left())
    return in.fail();
  out += '{';
  for (std::uint32_t index = 0; index < count && !in.failed(); ++index) {
    if (index != 0)
      out += ',';
    print_sized(out, *type.element, in, in.i32(), levels);
  }
  out += '}';
}

/// Members come with their own types.
void print_composite(std::string& out, const type_shape& type, byte_reader& in, int levels) {
  constexpr auto rule = quoting::of_member();
  const auto count = in.u32();
  if (count > in.left())
    return in.fail();
  out += '(';
  for (std::uint32_t index = 0; index < count && !in.failed(); ++index) {
    if (index != 0)
      out += ',';
    const auto member = type.attribute(in.u32());
    const auto length = in.i32();
    if (length == null_length)
      continue;
    if (member == nullptr)
      return in.fail();
    print_quoted(out, *member, in, length, rule, levels);
  }
  out += ')';
}

void print_scalar(std::string& out, const type_shape& type, byte_reader& in) {
  if (auto* const print = scalar_printer(type.reads_as))
    print(out, in);
  else
    in.fail();
}

} // namespace

void print_value(std::string& out, const type_shape& type, byte_reader& in, int levels) {
  if (levels == 0)
    return in.fail();
  switch (type.kind) {
    case type_kind::scalar: return print_scalar(out, type, in);
    case type_kind::array: return print_array(out, type, in, levels - 1);
    case type_kind::range: return print_range(out, type, in, levels - 1);
    case type_kind::multirange: return print_multirange(out, type, in, levels - 1);
    case type_kind::composite: return print_composite(out, type, in, levels - 1);
  }
}

// NOLINTEND(misc-no-recursion)

} // namespace replicant
