// SPDX-License-Identifier: MIT
#include "replicant/core/values/binary_geometry.hpp"

#include "replicant/core/values/binary_number.hpp"

#include <cstdint>

namespace replicant {

namespace {

constexpr std::size_t point_size = 16;

/// Appends `count` points, separated by commas.
void append_points(std::string& out, byte_reader& in, std::uint32_t count) {
  for (std::uint32_t index = 0; index < count; ++index) {
    if (index != 0)
      out += ',';
    print_point(out, in);
  }
}

/// Appends as many points as the bytes say, between brackets.
void append_counted_points(std::string& out, byte_reader& in, char open, char close) {
  const auto count = in.u32();
  if (count == 0 || count > in.left() / point_size)
    return in.fail();
  out += open;
  append_points(out, in, count);
  out += close;
}

} // namespace

void print_point(std::string& out, byte_reader& in) {
  out += '(';
  print_float8(out, in);
  out += ',';
  print_float8(out, in);
  out += ')';
}

void print_line(std::string& out, byte_reader& in) {
  out += '{';
  print_float8(out, in);
  out += ',';
  print_float8(out, in);
  out += ',';
  print_float8(out, in);
  out += '}';
}

void print_lseg(std::string& out, byte_reader& in) {
  out += '[';
  append_points(out, in, 2);
  out += ']';
}

void print_box(std::string& out, byte_reader& in) {
  append_points(out, in, 2);
}

void print_path(std::string& out, byte_reader& in) {
  const auto closed = in.u8();
  if (closed > 1)
    in.fail();
  append_counted_points(out, in, closed == 0 ? '[' : '(', closed == 0 ? ']' : ')');
}

void print_polygon(std::string& out, byte_reader& in) {
  append_counted_points(out, in, '(', ')');
}

void print_circle(std::string& out, byte_reader& in) {
  out += '<';
  print_point(out, in);
  out += ',';
  print_float8(out, in);
  out += '>';
}

} // namespace replicant
