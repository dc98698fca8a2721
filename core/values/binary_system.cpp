// SPDX-License-Identifier: MIT
#include "replicant/core/values/binary_system.hpp"

#include "replicant/core/model/lsn.hpp"
#include "replicant/core/values/binary_number.hpp"
#include "replicant/core/values/digits.hpp"

#include <cstddef>
#include <cstdint>

namespace replicant {

namespace {

/// These vectors are sent as arrays of one dimension, with the element's OID and sizes.
void print_vector(std::string& out, byte_reader& in, std::uint32_t element, std::uint32_t size,
                  binary_printer print) {
  const auto dimensions = in.u32();
  const auto nulls = in.u32();
  const auto sent_as = in.u32();
  const auto count = in.u32();
  const auto first = in.u32();
  if (dimensions != 1 || nulls != 0 || sent_as != element || first != 0 ||
      count > in.left() / (sizeof size + size))
    return in.fail();
  for (std::uint32_t index = 0; index < count; ++index) {
    if (index != 0)
      out += ' ';
    if (in.u32() != size)
      return in.fail();
    print(out, in);
  }
}

} // namespace

void print_tid(std::string& out, byte_reader& in) {
  out += '(';
  append_decimal(out, in.u32());
  out += ',';
  append_decimal(out, in.u16());
  out += ')';
}

void print_pg_lsn(std::string& out, byte_reader& in) {
  out += to_string(lsn{in.u64()});
}

void print_pg_snapshot(std::string& out, byte_reader& in) {
  const auto running = in.u32();
  const auto oldest = in.u64();
  const auto next = in.u64();
  if (running > in.left() / sizeof next)
    return in.fail();
  append_decimal(out, oldest);
  out += ':';
  append_decimal(out, next);
  out += ':';
  for (std::uint32_t index = 0; index < running; ++index) {
    if (index != 0)
      out += ',';
    append_decimal(out, in.u64());
  }
}

void print_int2vector(std::string& out, byte_reader& in) {
  print_vector(out, in, 21, 2, print_int2);
}

void print_oidvector(std::string& out, byte_reader& in) {
  print_vector(out, in, 26, 4, print_oid);
}

} // namespace replicant
