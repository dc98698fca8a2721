// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

namespace replicant::test {

/// The samples of a text in Prometheus' format, by name and labels as they are written there:
/// `replicant_paced{pipeline="shop"}`.
inline std::map<std::string, double> samples_of(const std::string& text) {
  std::map<std::string, double> found;
  std::istringstream lines{text};
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('#'))
      continue;
    const auto space = line.rfind(' ');
    if (space == std::string::npos ||
        !found.emplace(line.substr(0, space), std::stod(line.substr(space + 1))).second)
      throw std::runtime_error{"no sample, or told twice: " + line};
  }
  return found;
}

/// Name and labels of a sample of the pipeline "shop".
inline std::string of_shop(const std::string& metric, const std::string& label = {},
                           const std::string& word = {}) {
  return metric + "{pipeline=\"shop\"" + (label.empty() ? "" : "," + label + "=\"" + word + "\"") +
         "}";
}

} // namespace replicant::test
