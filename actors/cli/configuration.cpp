// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/configuration.hpp"

#include "replicant/actors/cli/proposal.hpp"
#include "replicant/actors/postgres/conninfo.hpp"
#include "replicant/config/load.hpp"

#include <algorithm>
#include <iostream>
#include <iterator>

namespace replicant::cli {

namespace {

bool libpq_accepts(const std::string& conninfo) {
  return postgres::conninfo::parse(conninfo).has_value();
}

/// The environment, in which a variable that is not set holds its own name: different ones stay
/// different.
environment forgiving_environment() {
  return [lookup = process_environment()](const std::string& name) {
    return std::optional{lookup(name).value_or(name)};
  };
}

} // namespace

std::optional<settings> read_configuration(const std::string& file, purpose use) {
  auto loaded = use == purpose::asking ? load_file(file, forgiving_environment())
                                       : load_file(file, process_environment(), libpq_accepts);
  if (loaded)
    return std::move(*loaded);
  for (const auto& problem : loaded.error())
    std::cerr << to_string(file, problem) << '\n';
  return std::nullopt;
}

bool narrow(settings& to, const std::optional<std::string>& only) {
  if (!only)
    return true;
  std::vector<std::string> known;
  std::ranges::transform(to.pipelines, std::back_inserter(known), &pipeline_settings::name);
  std::erase_if(to.pipelines, [&](const auto& one) { return one.name != *only; });
  if (to.pipelines.empty())
    std::cerr << "replicant: the configuration has no pipeline of the name given to --pipeline; "
                 "write "
              << propose(*only, known) << '\n';
  return !to.pipelines.empty();
}

} // namespace replicant::cli
