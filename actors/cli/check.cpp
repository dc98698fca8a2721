// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/commands.hpp"
#include "replicant/actors/cli/conninfo_complaint.hpp"
#include "replicant/config/load.hpp"

#include <iostream>

namespace replicant::cli {

namespace {

/// The environment, in which a variable that is not set holds its own name: different ones stay
/// different.
environment forgiving_environment() {
  return [lookup = process_environment()](const std::string& name) {
    return std::optional{lookup(name).value_or(name)};
  };
}

} // namespace

std::optional<settings> read_configuration(const std::string& file, purpose use) {
  auto loaded = use == purpose::asking
                  ? load_file(file, forgiving_environment())
                  : load_file(file, process_environment(), complain_of_conninfo);
  if (loaded)
    return std::move(*loaded);
  for (const auto& problem : loaded.error())
    std::cerr << to_string(file, problem) << '\n';
  return std::nullopt;
}

bool narrow(settings& to, const std::optional<std::string>& only) {
  if (only)
    std::erase_if(to.pipelines, [&](const auto& one) { return one.name != *only; });
  if (to.pipelines.empty())
    std::cerr << "replicant: the configuration has no pipeline of the name given to --pipeline\n";
  return !to.pipelines.empty();
}

exit_code check(const check_request& asked) {
  const auto loaded = read_configuration(asked.file, purpose::connecting);
  if (!loaded)
    return exit_code::wrong_input;
  std::cout << asked.file << ": right, " << loaded->pipelines.size()
            << (loaded->pipelines.size() == 1 ? " pipeline\n" : " pipelines\n");
  return exit_code::fine;
}

} // namespace replicant::cli
