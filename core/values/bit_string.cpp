// SPDX-License-Identifier: MIT
#include "replicant/core/values/bit_string.hpp"

namespace replicant {

std::optional<bit_string> bit_string::parse(std::string_view text) {
  if (text.find_first_not_of("01") != std::string_view::npos)
    return std::nullopt;
  bit_string found;
  found.bytes_ = text;
  found.size_ = text.size();
  return found;
}

bit_string bit_string::read(byte_reader& in) {
  bit_string found;
  found.size_ = in.u32();
  found.bytes_ = in.rest();
  found.packed_ = true;
  if (found.bytes_.size() != (found.size_ + 7) / 8)
    in.fail();
  return found;
}

} // namespace replicant
