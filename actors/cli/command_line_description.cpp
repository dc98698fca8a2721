// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/command_line_syntax.hpp"

#include <utility>

namespace replicant::cli {

parameter_description command_line_syntax::describe(const CLI::Option& option) const {
  parameter_description one{.purpose = option.get_description(), .required = option.get_required()};
  if (option.get_positional())
    one.names.push_back(option.get_name(true));
  for (const auto& name : option.get_snames())
    one.names.push_back("-" + name);
  for (const auto& name : option.get_lnames())
    one.names.push_back("--" + name);
  if (const auto found = values_.find(&option); found != values_.end()) {
    one.value = option.get_type_name();
    one.kind = found->second.kind;
    one.words = found->second.words;
  }
  return one;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as commands are nested.
command_description command_line_syntax::describe(const CLI::App& command) const {
  command_description one{.name = full_name(command), .purpose = command.get_description()};
  if (const auto found = notes_.find(&command); found != notes_.end()) {
    one.details = found->second.details;
    one.examples = found->second.examples;
    one.exit_codes = found->second.exit_codes;
  }
  for (const auto* option : command.get_options())
    (option->get_positional() ? one.arguments : one.options).push_back(describe(*option));
  for (const auto* below : command.get_subcommands(is_shown))
    one.commands.push_back(describe(*below));
  return one;
}

} // namespace replicant::cli
