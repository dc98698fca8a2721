// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/completion_scripts.hpp"

namespace replicant::cli {

namespace {

constexpr const char* head = R"(#compdef replicant
# Completion of replicant for zsh.
_replicant() {
  local chosen=replicant word
  local -a options following
  for word in ${words[2,CURRENT-1]}; do
    case "$chosen $word" in
)";

constexpr const char* tail = R"(  esac
  if [[ $PREFIX == -* ]]; then
    _describe option options
  else
    _describe command following
  fi
}
if [[ $funcstack[1] == _replicant ]]; then
  _replicant "$@"
else
  compdef _replicant replicant
fi
)";

/// A word and its purpose, as _describe takes them.
std::string described(const std::string& word, const std::string& purpose) {
  return " " + single_quoted(word + ":" + purpose);
}

std::string values(const command_description& command) {
  std::string text;
  for (const auto& option : command.options) {
    if (option.kind == value_kind::none)
      continue;
    for (const auto& name : option.names)
      text += std::string{text.empty() || text.back() == '\n' ? "    (" : "|"} + "\"" +
              command.name + " " + name + "\"";
    text += option.kind == value_kind::file
              ? ") _files; return ;;\n"
              : ") compadd -- " + spaced(option.words) + "; return ;;\n";
  }
  return text;
}

std::string words(const command_description& command) {
  std::string text = "    (" + single_quoted(command.name) + ")\n      options=(";
  for (const auto& option : command.options)
    for (const auto& name : option.names)
      text += described(name, option.purpose);
  text += " )\n      following=(";
  for (const auto& below : command.commands)
    text += described(last_word(below), below.purpose);
  for (const auto& argument : command.arguments)
    for (const auto& word : argument.words)
      text += described(word, argument.purpose);
  text += " )\n";
  for (const auto& argument : command.arguments)
    if (argument.kind == value_kind::file)
      text += "      [[ $PREFIX == -* ]] || { _files; return }\n";
  return text + "      ;;\n";
}

} // namespace

std::string zsh_completion(const command_description& program) {
  std::string text{head};
  const auto commands = all_commands(program);
  for (const auto* command : commands)
    if (command != &program)
      text += "      (\"" + command->name + "\") chosen=" + single_quoted(command->name) + " ;;\n";
  text += "    esac\n  done\n  case \"$chosen ${words[CURRENT-1]}\" in\n";
  for (const auto* command : commands)
    text += values(*command);
  text += "  esac\n  case $chosen in\n";
  for (const auto* command : commands)
    text += words(*command);
  return text + tail;
}

} // namespace replicant::cli
