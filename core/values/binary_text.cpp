// SPDX-License-Identifier: MIT
#include "replicant/core/values/binary_text.hpp"

#include "replicant/core/values/binary_container.hpp"

namespace replicant {

bool append_binary_text(std::string& out, const type_shape& type, std::string_view bytes) {
  // Nobody nests types so deep: what stands inside is escaped once more by each level, which
  // doubles its length.
  constexpr int most_levels = 16;
  const auto start = out.size();
  byte_reader in{bytes};
  print_value(out, type, in, most_levels);
  if (in.finished())
    return true;
  out.resize(start);
  return false;
}

} // namespace replicant
