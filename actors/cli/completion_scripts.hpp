// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/cli/command_description.hpp"

#include <string>
#include <vector>

namespace replicant::cli {

/// The last word of a command's name, as it is typed.
[[nodiscard]] std::string last_word(const command_description& command);

/// `text` for single quotes of a POSIX shell.
[[nodiscard]] std::string single_quoted(const std::string& text);

/// Words with blanks between them.
[[nodiscard]] std::string spaced(const std::vector<std::string>& words);

[[nodiscard]] std::string bash_completion(const command_description& program);
[[nodiscard]] std::string zsh_completion(const command_description& program);
[[nodiscard]] std::string fish_completion(const command_description& program);

} // namespace replicant::cli
