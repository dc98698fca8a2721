// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/configuration.hpp"

#include "replicant/actors/cli/conninfo_complaint.hpp"
#include "replicant/actors/cli/control_question.hpp"
#include "replicant/actors/cli/proposal.hpp"
#include "replicant/config/load.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <system_error>

namespace replicant::cli {

namespace {

/// The environment, in which a variable that is not set holds its own name: different ones stay
/// different.
environment forgiving_environment() {
  return [lookup = process_environment()](const std::string& name) {
    return std::optional{lookup(name).value_or(name)};
  };
}

/// Whether somebody has taken CONFIG for what `tail` takes. Then it may hold a password.
bool looks_like_conninfo(const std::string& file) {
  std::error_code ignored;
  return (file.find('=') != std::string::npos || file.find("://") != std::string::npos) &&
         !std::filesystem::exists(file, ignored);
}

} // namespace

std::optional<settings> read_configuration(const std::string& file, purpose use) {
  if (looks_like_conninfo(file)) {
    std::cerr << "replicant: CONFIG is no file and looks like a connection string (not repeated "
                 "here, for it may hold a password); write the path of a TOML file, or follow the "
                 "database with replicant tail\n";
    return std::nullopt;
  }
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

std::vector<std::string> names_of(const settings& loaded) {
  std::vector<std::string> names;
  std::ranges::transform(loaded.pipelines, std::back_inserter(names), &pipeline_settings::name);
  return names;
}

bool may_be_running(const settings& loaded) {
  const auto& path = loaded.runtime.control_socket;
  const auto told = ask_status(path);
  if (!told && nobody_listens(told.error()))
    return false;
  std::cerr << "replicant: "
            << (told ? "a program runs this configuration; stop it first"
                     : "nothing is changed while a program may run this configuration: " +
                         explain_no_answer(path, told.error()))
            << '\n';
  return true;
}

tl::expected<settings, exit_code> read_for_change(const std::string& file,
                                                  const std::optional<std::string>& pipeline) {
  auto loaded = read_configuration(file, purpose::connecting);
  if (!loaded || !narrow(*loaded, pipeline))
    return tl::unexpected{exit_code::wrong_input};
  if (loaded->pipelines.size() > 1) {
    std::cerr << "replicant: the configuration has several pipelines, and this is done to one at a "
                 "time; name it with --pipeline\n";
    return tl::unexpected{exit_code::wrong_input};
  }
  if (may_be_running(*loaded))
    return tl::unexpected{exit_code::needs_person};
  return std::move(*loaded);
}

} // namespace replicant::cli
