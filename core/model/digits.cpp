// SPDX-License-Identifier: MIT
#include "replicant/core/model/digits.hpp"

namespace replicant {

void append_padded(std::string& out, std::uint64_t number, std::size_t width) {
  const auto start = out.size();
  append_decimal(out, number);
  if (const auto length = out.size() - start; length < width)
    out.insert(start, width - length, '0');
}

void append_hex(std::string& out, std::string_view bytes) {
  constexpr std::string_view hex = "0123456789abcdef";
  auto at = out.size();
  out.resize(at + 2 * bytes.size());
  for (const auto byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    out[at++] = hex[value >> 4U];
    out[at++] = hex[value & 0xFU];
  }
}

} // namespace replicant
