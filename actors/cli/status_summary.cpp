// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/status_summary.hpp"

#include <map>

namespace replicant::cli {

std::string status_summary(const std::vector<pipeline_status>& all) {
  std::map<pipeline_phase, std::size_t> counts;
  for (const auto& one : all)
    ++counts[one.phase];
  auto text = std::to_string(all.size()) + (all.size() == 1 ? " pipeline" : " pipelines");
  const auto* separator = ": ";
  for (const auto& [phase, count] : counts) {
    text.append(separator).append(std::to_string(count)).append(" ").append(to_string(phase));
    separator = ", ";
  }
  return text;
}

} // namespace replicant::cli
