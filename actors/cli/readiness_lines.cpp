// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/readiness_lines.hpp"

#include <algorithm>

namespace replicant::cli {

namespace {

std::string line_of(const pipeline_status& one) {
  auto line = one.name + ": " + std::string{to_string(one.phase)};
  const auto fails = one.phase == pipeline_phase::halted || one.phase == pipeline_phase::waiting;
  if (fails && one.last_fault)
    line.append(" ").append(to_string(one.last_fault->why));
  return line;
}

} // namespace

std::vector<std::string> readiness_lines(const std::vector<std::string>& expected,
                                         const std::vector<pipeline_status>& pipelines) {
  std::vector<std::string> lines;
  for (const auto& name : expected) {
    const auto found = std::ranges::find(pipelines, name, &pipeline_status::name);
    if (found == pipelines.end())
      lines.push_back(name + ": not started, or it does not answer");
    else if (found->phase != pipeline_phase::streaming)
      lines.push_back(line_of(*found));
  }
  return lines;
}

} // namespace replicant::cli
