// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/commands.hpp"
#include "replicant/actors/cli/configuration.hpp"

#include <iostream>

namespace replicant::cli {

exit_code check(const check_request& asked) {
  const auto loaded = read_configuration(asked.file, purpose::connecting);
  if (!loaded)
    return exit_code::wrong_input;
  std::cout << asked.file << ": right, " << loaded->pipelines.size()
            << (loaded->pipelines.size() == 1 ? " pipeline\n" : " pipelines\n");
  return exit_code::fine;
}

} // namespace replicant::cli
