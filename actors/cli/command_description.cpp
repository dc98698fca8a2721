// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/command_description.hpp"

namespace replicant::cli {

std::vector<const command_description*> all_commands(const command_description& program) {
  std::vector<const command_description*> all;
  std::vector waiting{&program};
  while (!waiting.empty()) {
    all.push_back(waiting.back());
    waiting.pop_back();
    const auto& below = all.back()->commands;
    for (auto command = below.rbegin(); command != below.rend(); ++command)
      waiting.push_back(&*command);
  }
  return all;
}

} // namespace replicant::cli
