// SPDX-License-Identifier: MIT
#include "replicant/core/values/binary_string.hpp"

#include "replicant/core/values/bit_string.hpp"
#include "replicant/core/values/digits.hpp"

#include <cstddef>

namespace replicant {

void print_text(std::string& out, byte_reader& in) {
  out += in.rest();
}

void print_versioned_text(std::string& out, byte_reader& in) {
  if (in.u8() != 1)
    in.fail();
  out += in.rest();
}

void print_char(std::string& out, byte_reader& in) {
  const auto value = in.u8();
  if (value == 0)
    return;
  if (value < 0x80) {
    out += static_cast<char>(value);
    return;
  }
  out += '\\';
  for (const auto shift : {6U, 3U, 0U})
    out += static_cast<char>('0' + (value >> shift & 7U));
}

void print_bytea(std::string& out, byte_reader& in) {
  out += "\\x";
  append_hex(out, in.rest());
}

void print_bit(std::string& out, byte_reader& in) {
  const auto bits = bit_string::read(in);
  if (in.failed())
    return;
  for (std::size_t index = 0; index < bits.size(); ++index)
    out += bits[index] ? '1' : '0';
}

void print_uuid(std::string& out, byte_reader& in) {
  append_hex(out, in.bytes(4));
  for (const std::size_t size : {2, 2, 2, 6}) {
    out += '-';
    append_hex(out, in.bytes(size));
  }
}

} // namespace replicant
