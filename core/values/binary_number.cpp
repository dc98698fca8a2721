// SPDX-License-Identifier: MIT
#include "replicant/core/values/binary_number.hpp"

#include "replicant/core/values/digits.hpp"
#include "replicant/core/values/float_text.hpp"
#include "replicant/core/values/numeric.hpp"

#include <bit>
#include <cstdint>

namespace replicant {

void print_bool(std::string& out, byte_reader& in) {
  const auto value = in.u8();
  if (value > 1)
    in.fail();
  out += value == 0 ? 'f' : 't';
}

void print_int2(std::string& out, byte_reader& in) {
  append_decimal(out, static_cast<std::int16_t>(in.u16()));
}

void print_int4(std::string& out, byte_reader& in) {
  append_decimal(out, in.i32());
}

void print_int8(std::string& out, byte_reader& in) {
  append_decimal(out, in.i64());
}

void print_oid(std::string& out, byte_reader& in) {
  append_decimal(out, in.u32());
}

void print_xid8(std::string& out, byte_reader& in) {
  append_decimal(out, in.u64());
}

void print_float4(std::string& out, byte_reader& in) {
  append_float(out, std::bit_cast<float>(in.u32()));
}

void print_float8(std::string& out, byte_reader& in) {
  append_float(out, std::bit_cast<double>(in.u64()));
}

void print_numeric(std::string& out, byte_reader& in) {
  if (const auto number = numeric::read(in); !in.failed())
    number.append_text(out);
}

void print_money(std::string& out, byte_reader& in) {
  const auto cents = in.i64();
  const auto size =
    cents < 0 ? 0 - static_cast<std::uint64_t>(cents) : static_cast<std::uint64_t>(cents);
  out += cents < 0 ? "-$" : "$";
  const auto start = out.size();
  append_decimal(out, size / 100);
  for (auto length = out.size() - start; length > 3; length -= 3)
    out.insert(start + length - 3, 1, ',');
  out += '.';
  append_padded(out, size % 100, 2);
}

} // namespace replicant
