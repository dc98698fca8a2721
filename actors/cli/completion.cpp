// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/completion.hpp"

#include "replicant/actors/cli/completion_scripts.hpp"

namespace replicant::cli {

std::string last_word(const command_description& command) {
  return command.name.substr(command.name.rfind(' ') + 1);
}

std::string single_quoted(const std::string& text) {
  std::string quoted{"'"};
  for (const auto c : text)
    quoted += c == '\'' ? std::string{R"('\'')"} : std::string{c};
  return quoted + "'";
}

std::string spaced(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words)
    text.append(text.empty() ? "" : " ").append(word);
  return text;
}

std::vector<std::pair<std::string, shell>> shells() {
  return {{"bash", shell::bash}, {"zsh", shell::zsh}, {"fish", shell::fish}};
}

std::string completion_script(shell of, const command_description& program) {
  switch (of) {
    case shell::bash: return bash_completion(program);
    case shell::zsh: return zsh_completion(program);
    case shell::fish: return fish_completion(program);
  }
  return {};
}

} // namespace replicant::cli
