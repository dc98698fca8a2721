// SPDX-License-Identifier: MIT
#include "replicant/config/diagnostic.hpp"

namespace replicant {

std::string to_string(std::string_view file, const diagnostic& problem) {
  std::string line{file};
  if (problem.at.line != 0)
    line.append(":")
      .append(std::to_string(problem.at.line))
      .append(":")
      .append(std::to_string(problem.at.column));
  return line.append(": ").append(problem.text);
}

} // namespace replicant
