// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/command_line_syntax.hpp"
#include "replicant/config/nearest_name.hpp"

#include <algorithm>

namespace replicant::cli {

namespace {

/// The command that the arguments have named so far.
struct named_command {
  const CLI::App* app;
  std::string name;
};

named_command command_named(const CLI::App& root) {
  named_command found{&root, root.get_name()};
  while (!found.app->get_subcommands().empty()) {
    found.app = found.app->get_subcommands().front();
    found.name += " " + found.app->get_name();
  }
  return found;
}

bool is_shown(const CLI::App* command) {
  return !command->get_group().empty();
}

std::vector<std::string_view> commands_of(const CLI::App& app) {
  std::vector<std::string_view> names;
  for (const auto* command : app.get_subcommands(is_shown))
    names.push_back(command->get_name());
  return names;
}

std::string listed(const std::vector<std::string_view>& names) {
  std::string text;
  for (const auto& name : names)
    text.append(text.empty() ? "" : ", ").append(name);
  return text;
}

/// "argument 2"; the words of an argument are for nobody else's eyes.
std::string place_of(const std::string& argument, const std::vector<std::string>& arguments) {
  const auto found = std::ranges::find(arguments, argument);
  return found == arguments.end() ? "an argument"
                                  : "argument " + std::to_string(found - arguments.begin() + 1);
}

std::string no_command(const named_command& where, const std::vector<std::string>& rest,
                       const std::vector<std::string>& arguments) {
  const auto known = commands_of(*where.app);
  if (rest.empty())
    return "a command is missing; write one of " + listed(known);
  const auto best = nearest_name(rest.front(), known);
  return place_of(rest.front(), arguments) + " is no command; write " +
         (best ? "\"" + std::string{*best} + "\" if that is meant" : "one of " + listed(known));
}

std::string unknown_option(const named_command& where, const std::string& given,
                           const std::vector<std::string>& arguments) {
  std::vector<std::string> names;
  for (const auto* option : where.app->get_options())
    for (const auto& name : option->get_lnames())
      names.push_back("--" + name);
  const std::vector<std::string_view> known{names.begin(), names.end()};
  const auto best = nearest_name(std::string_view{given}.substr(0, given.find('=')), known);
  return place_of(given, arguments) + " is no option of this command; write " +
         (best ? std::string{*best} + " if that is meant" : "one of " + listed(known));
}

std::string one_too_many(const named_command& where, const std::string& given,
                         const std::vector<std::string>& arguments) {
  std::string taken;
  for (const auto* option : where.app->get_options())
    if (option->get_positional())
      taken += " " + option->get_name(true);
  return place_of(given, arguments) + " is one too many; beside options it takes" +
         (taken.empty() ? " nothing" : taken);
}

/// What CLI11 says of an option, told from the option's name alone.
std::string wrong_count(const CLI::App& command, std::string_view told) {
  for (const auto* option : command.get_options()) {
    const auto name = option->get_name();
    if (told.starts_with(name.substr(name.find_first_not_of('-')) + " ")) // Only flags, and bare.
      return name + " takes no value";
    if (!told.starts_with(name + ":"))
      continue;
    if (option->count() > 1)
      return name + " may be given only once";
    return std::string{name}
      .append(" needs a value; write ")
      .append(name)
      .append(" ")
      .append(option->get_type_name());
  }
  return "an option has a value too many or too few";
}

std::string wrong_thing(const named_command& where, const CLI::ParseError& what,
                        const std::vector<std::string>& arguments, const CLI::App& root) {
  // What was not understood explains what is missing.
  const auto rest = root.remaining(true);
  const auto option =
    std::ranges::find_if(rest, [](const auto& one) { return one.size() > 1 && one[0] == '-'; });
  if (option != rest.end() && *option != "--")
    return unknown_option(where, *option, arguments);
  if (!where.app->get_subcommands(is_shown).empty())
    return no_command(where, rest, arguments);
  if (!rest.empty())
    return one_too_many(where, rest.front(), arguments);
  if (dynamic_cast<const CLI::RequiredError*>(&what) != nullptr) // Its text names what we named.
    return std::string{what.what()};
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&what) != nullptr)
    return wrong_count(*where.app, what.what());
  if (dynamic_cast<const CLI::ValidationError*>(&what) != nullptr) // From our own validators.
    return what.what();
  return "an option has a value that it cannot take";
}

} // namespace

std::string explain_mistake(const CLI::App& root, const CLI::ParseError& what,
                            const std::vector<std::string>& arguments) {
  const auto where = command_named(root);
  return where.name + ": " + wrong_thing(where, what, arguments, root) + "; see " + where.name +
         " --help";
}

} // namespace replicant::cli
