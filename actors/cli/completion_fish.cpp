// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/completion_scripts.hpp"

namespace replicant::cli {

namespace {

constexpr const char* head = R"(# Completion of replicant for fish.
function __replicant_at
    set -l chosen replicant
    set -l words (commandline -opc)
    for word in $words[2..-1]
        switch "$chosen $word"
            case )";

constexpr const char* tail = R"(
                set chosen "$chosen $word"
        end
    end
    test "$chosen" = "$argv[1]"
end
complete -c replicant -f
)";

/// `text` for single quotes of fish.
std::string quoted(const std::string& text) {
  std::string safe{"'"};
  for (const auto c : text) {
    if (c == '\'' || c == '\\')
      safe += '\\';
    safe += c;
  }
  return safe + "'";
}

std::string begin(const command_description& command) {
  return "complete -c replicant -n " + quoted("__replicant_at \"" + command.name + "\"");
}

std::string option_line(const command_description& command, const parameter_description& option) {
  auto line = begin(command);
  for (const auto& name : option.names)
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (option.kind == value_kind::file)
    line += " -r -F";
  else if (option.kind != value_kind::none)
    line += " -x" + (option.words.empty() ? "" : " -a " + quoted(spaced(option.words)));
  return line + " -d " + quoted(option.purpose) + "\n";
}

std::string argument_line(const command_description& command,
                          const parameter_description& argument) {
  if (argument.kind == value_kind::file)
    return begin(command) + " -F\n";
  return argument.words.empty() ? ""
                                : begin(command) + " -a " + quoted(spaced(argument.words)) + "\n";
}

} // namespace

std::string fish_completion(const command_description& program) {
  const auto commands = all_commands(program);
  std::string text{head};
  for (const auto* command : commands)
    if (command != &program)
      text += quoted(command->name) + " ";
  text.pop_back();
  text += tail;
  for (const auto* command : commands) {
    for (const auto& below : command->commands)
      text += begin(*command) + " -a " + last_word(below) + " -d " + quoted(below.purpose) + "\n";
    for (const auto& option : command->options)
      text += option_line(*command, option);
    for (const auto& argument : command->arguments)
      text += argument_line(*command, argument);
  }
  return text;
}

} // namespace replicant::cli
