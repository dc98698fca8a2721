// SPDX-License-Identifier: MIT
#include "replicant/actors/postgres/connect_failure.hpp"

#include <algorithm>

namespace replicant::postgres {

sqlstate last_sqlstate(std::string_view message) {
  static constexpr std::string_view separator = ":  ";
  static constexpr std::size_t code_size = 5;
  sqlstate found;
  while (!message.empty()) {
    const auto line = message.substr(0, message.find('\n'));
    message.remove_prefix(std::min(line.size() + 1, message.size()));
    if (line.size() < separator.size() + code_size)
      continue;
    const auto tail = line.substr(line.size() - separator.size() - code_size);
    if (!tail.starts_with(separator))
      continue;
    if (const sqlstate code{tail.substr(separator.size())}; code.known())
      found = code;
  }
  return found;
}

} // namespace replicant::postgres
