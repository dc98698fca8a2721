// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/proposal.hpp"

#include "replicant/config/nearest_name.hpp"

namespace replicant::cli {

std::string one_of(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names)
    text.append(text.empty() ? "one of " : ", ").append(name);
  return text;
}

std::string propose(const std::string& unknown, const std::vector<std::string>& known) {
  const auto best = nearest_name(unknown, {known.begin(), known.end()});
  return best ? "\"" + std::string{*best} + "\" if that is meant" : one_of(known);
}

} // namespace replicant::cli
