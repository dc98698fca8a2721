// SPDX-License-Identifier: MIT
#include "replicant/core/values/binary_container.hpp"

#include "replicant/core/values/binary_quoting.hpp"
#include "replicant/core/values/binary_scalar.hpp"
#include "replicant/core/values/digits.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace replicant {

namespace {

constexpr std::int32_t null_length = -1;

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

/// The dimensions of an array, which stand before its elements.
class array_frame {
public:
  explicit array_frame(byte_reader& in) {
    const std::size_t count = in.u32();
    const auto has_nulls = in.u32();
    // The OID of the elements: what they are is known from the shape, where domains are resolved.
    static_cast<void>(in.u32());
    if (count > dimensions_.size() || has_nulls > 1)
      in.fail();
    else
      count_ = count;
    for (auto& one : used())
      one = {.size = in.u32(), .first = in.i32()};
    if (!measure(in.left() / sizeof null_length))
      in.fail();
  }

  [[nodiscard]] std::size_t elements() const { return elements_; }

  /// Appends the bounds, which are only told when one does not begin at 1.
  void append_bounds(std::string& out) const {
    if (std::ranges::all_of(used(), [](const auto& one) { return one.first == 1; }))
      return;
    for (const auto& one : used()) {
      out += '[';
      append_decimal(out, one.first);
      out += ':';
      append_decimal(out, std::int64_t{one.first} + one.size - 1);
      out += ']';
    }
    out += '=';
  }

  /// How many braces open before the element at `index`; as many close behind the one before it.
  [[nodiscard]] std::size_t braces_at(std::size_t index) const {
    return static_cast<std::size_t>(std::ranges::count_if(
      used(), [index](const auto& one) { return index % one.elements == 0; }));
  }

private:
  struct dimension {
    std::uint32_t size = 0;
    std::int32_t first = 0;
    std::size_t elements = 0; ///< In one slice along it: between one pair of braces.
  };

  [[nodiscard]] std::span<dimension> used() { return std::span{dimensions_}.first(count_); }

  [[nodiscard]] std::span<const dimension> used() const {
    return std::span{dimensions_}.first(count_);
  }

  /// Counts the elements. @returns whether there are at most so many.
  [[nodiscard]] bool measure(std::size_t most) {
    elements_ = count_ == 0 ? 0 : 1;
    for (auto index = count_; index-- > 0;) {
      auto& one = dimensions_.at(index);
      if (one.size > most)
        return false;
      elements_ *= one.size;
      if (elements_ > most)
        return false;
      one.elements = elements_;
    }
    return true;
  }

  std::array<dimension, 6> dimensions_{};
  std::size_t count_ = 0;
  std::size_t elements_ = 0;
};

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
  constexpr unsigned empty = 1;
  constexpr unsigned lower_inclusive = 2;
  constexpr unsigned upper_inclusive = 4;
  constexpr unsigned lower_infinite = 8;
  constexpr unsigned upper_infinite = 16;
  constexpr auto rule = quoting::of_bound();
  const unsigned flags = in.u8();
  if (flags >= 2 * upper_infinite)
    return in.fail();
  if ((flags & empty) != 0) {
    out += "empty";
    return;
  }
  out += (flags & lower_inclusive) != 0 ? '[' : '(';
  if ((flags & lower_infinite) == 0)
    print_quoted(out, *type.element, in, in.i32(), rule, levels);
  out += ',';
  if ((flags & upper_infinite) == 0)
    print_quoted(out, *type.element, in, in.i32(), rule, levels);
  out += (flags & upper_inclusive) != 0 ? ']' : ')';
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
