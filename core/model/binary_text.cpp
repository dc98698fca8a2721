// SPDX-License-Identifier: MIT
#include "replicant/core/model/binary_text.hpp"

#include "replicant/core/model/binary_container.hpp"

namespace replicant {

bool append_binary_text(std::string& out, const type_shape& type, std::string_view bytes) {
  // More than any types that a server can have at once, few enough for any stack.
  constexpr int most_levels = 32;
  const auto start = out.size();
  byte_reader in{bytes};
  print_value(out, type, in, most_levels);
  if (in.finished())
    return true;
  out.resize(start);
  return false;
}

} // namespace replicant
