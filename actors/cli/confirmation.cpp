// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/confirmation.hpp"

#include <iostream>

namespace replicant::cli {

std::optional<exit_code> ask_confirmation(const std::optional<std::string>& given,
                                          const std::string& expected,
                                          const told_command& command) {
  if (given == expected)
    return std::nullopt;
  if (given) {
    std::cerr << "replicant: --confirm has another value than the one that is asked for; nothing "
                 "was changed; run the command without it to see what it does\n";
    return exit_code::wrong_input;
  }
  std::cout << "nothing was changed; to do it:\n  replicant " << command.name << " " << command.file
            << " --pipeline " << command.pipeline << " --confirm " << expected << '\n';
  return exit_code::fine;
}

} // namespace replicant::cli
