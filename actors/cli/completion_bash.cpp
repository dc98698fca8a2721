// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/completion_scripts.hpp"

#include <algorithm>

namespace replicant::cli {

namespace {

// What the cursor stands on and before, with "--option=value" taken apart as bash does.
constexpr const char* head = R"(# Completion of replicant for bash.
_replicant() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  if [[ $current == = ]]; then
    current=
  elif [[ $before == = ]]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  local chosen=replicant index
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$chosen ${COMP_WORDS[index]}" in
)";

constexpr const char* tail = R"(  esac
  if [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
  elif [[ $words == FILE ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  fi
}
complete -F _replicant replicant
)";

std::string patterns(const command_description& command, const parameter_description& option) {
  std::string text;
  for (const auto& name : option.names)
    text.append(text.empty() ? "" : " | ").append("\"" + command.name + " " + name + "\"");
  return text;
}

/// What follows an option; a command's own words are none of it.
std::string values(const command_description& command) {
  std::string text;
  for (const auto& option : command.options)
    if (option.kind != value_kind::none)
      text += "    " + patterns(command, option) + ") words=" +
              single_quoted(option.kind == value_kind::file ? "FILE" : spaced(option.words)) +
              " options= ;;\n";
  return text;
}

std::string words(const command_description& command) {
  std::vector<std::string> options;
  std::vector<std::string> following;
  for (const auto& option : command.options)
    options.insert(options.end(), option.names.begin(), option.names.end());
  for (const auto& below : command.commands)
    following.push_back(last_word(below));
  for (const auto& argument : command.arguments)
    following =
      argument.kind == value_kind::file ? std::vector<std::string>{"FILE"} : argument.words;
  return "    \"" + command.name + " \"*) words=" + single_quoted(spaced(following)) +
         " options=" + single_quoted(spaced(options)) + " ;;\n";
}

} // namespace

std::string bash_completion(const command_description& program) {
  std::string text{head};
  auto commands = all_commands(program);
  for (const auto* command : commands)
    if (command != &program)
      text += "      \"" + command->name + "\") chosen=" + single_quoted(command->name) + " ;;\n";
  text += "    esac\n  done\n  local words= options=\n  case \"$chosen $before\" in\n";
  for (const auto* command : commands)
    text += values(*command);
  // A longer name is to be tried before the shorter one that it begins with.
  std::ranges::reverse(commands);
  for (const auto* command : commands)
    text += words(*command);
  return text + tail;
}

} // namespace replicant::cli
