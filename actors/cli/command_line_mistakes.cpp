// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/command_line_syntax.hpp"
#include "replicant/actors/cli/proposal.hpp"

#include <algorithm>

namespace replicant::cli {

namespace {

/// Reads ever more arguments until there is one that nothing takes, and leaves `root` as it is
/// then. Where the same words stand twice, only this tells which of the two is too many.
/// @returns the number of that argument, counted from 1; 0 when all are taken.
std::size_t find_stranger(CLI::App& root, std::span<const std::string> arguments) {
  for (std::size_t count = 1; count <= arguments.size(); ++count) {
    try {
      read_arguments(root, arguments.first(count));
    } catch (const CLI::ParseError&) { // Most of them are only not complete yet.
    }
    if (root.remaining_size(true) > 0)
      return count;
  }
  return 0;
}

std::vector<std::string> commands_below(const CLI::App& command) {
  std::vector<std::string> names;
  for (const auto* below : command.get_subcommands(is_shown))
    names.push_back(below->get_name());
  return names;
}

std::vector<std::string> options_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const auto* option : command.get_options())
    for (const auto& name : option->get_lnames())
      names.push_back("--" + name);
  return names;
}

std::string one_too_many(const CLI::App& command) {
  std::string taken;
  for (const auto* option : command.get_options())
    if (option->get_positional())
      taken += " " + option->get_name(true);
  return "is one too many; beside options it takes" + (taken.empty() ? " nothing" : taken);
}

bool looks_like_option(const std::string& argument) {
  return argument.size() > 1 && argument.front() == '-';
}

std::string name_part(const std::string& argument) {
  return argument.substr(0, argument.find('='));
}

/// Why a command does not take an argument.
std::string what_is_strange(const CLI::App& command, const std::string& argument) {
  if (looks_like_option(argument))
    return "is no option of this command; write " +
           propose(name_part(argument), options_of(command));
  if (const auto known = commands_below(command); !known.empty())
    return "is no command; write " + propose(argument, known);
  return one_too_many(command);
}

bool takes_value(const CLI::Option& option) {
  return option.get_items_expected_max() > 0;
}

/// What has a number of values that it cannot have.
std::string wrong_count(const CLI::App& command, const std::vector<std::string>& arguments) {
  const auto options = command.get_options();
  const auto named_by = [&](const std::string& argument) {
    const auto found = std::ranges::find_if(options, [&](const CLI::Option* option) {
      return looks_like_option(argument) && option->check_name(name_part(argument));
    });
    return found == options.end() ? nullptr : *found;
  };
  for (const auto* option : options)
    if (option->count() > 1 && option->get_items_expected_max() == 1)
      return option->get_name() + " may be given only once";
  for (const auto& argument : arguments)
    if (const auto* const flag = named_by(argument);
        flag != nullptr && !takes_value(*flag) && argument.find('=') != std::string::npos)
      return flag->get_name() + " takes no value";
  if (const auto* const last = named_by(arguments.back()); last != nullptr && takes_value(*last))
    return last->get_name() + " needs a value; write " + last->get_name() + " " +
           last->get_type_name();
  return "an option has a value too many or too few";
}

/// What is wrong with a command although it takes every argument.
std::string wrong_use(const CLI::App& command, const CLI::ParseError& what,
                      const std::vector<std::string>& arguments) {
  if (const auto known = commands_below(command); !known.empty())
    return "a command is missing; write " + one_of(known);
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&what) != nullptr)
    return wrong_count(command, arguments);
  if (dynamic_cast<const CLI::ValidationError*>(&what) != nullptr) // From our own validators.
    return what.what();
  for (const auto* option : command.get_options())
    if (option->get_required() && option->count() == 0)
      return option->get_name() + " is required";
  return "an option has a value that it cannot take";
}

} // namespace

std::string explain_mistake(CLI::App& root, const CLI::ParseError& what,
                            const std::vector<std::string>& arguments) {
  const auto stranger = find_stranger(root, arguments);
  const auto& command = chosen_command(root);
  const auto told = stranger == 0 ? wrong_use(command, what, arguments)
                                  : "argument " + std::to_string(stranger) + " " +
                                      what_is_strange(command, arguments[stranger - 1]);
  return full_name(command) + ": " + told + "; see " + full_name(command) + " --help";
}

} // namespace replicant::cli
