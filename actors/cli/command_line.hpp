// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/cli/command_description.hpp"
#include "replicant/actors/cli/commands.hpp"
#include "replicant/actors/cli/tail.hpp"

#include <tl/expected.hpp>

#include <string>
#include <variant>
#include <vector>

namespace replicant::cli {

/// A text to print: help, the version, a completion script, the manual page.
struct text_request {
  std::string text;
};

/// What a command line asks for.
using request =
  std::variant<text_request, run_request, check_request, status_request, tail_request,
               slot_list_request, slot_drop_request, checkpoint_show_request,
               checkpoint_adopt_request, checkpoint_reset_request, schema_accept_request>;

/// Reads the arguments after the program's name.
/// @returns what they ask for, or one line that says what is wrong and what to write instead. It
/// repeats no argument: one of them may be a password.
[[nodiscard]] tl::expected<request, std::string>
parse_command_line(const std::vector<std::string>& arguments);

/// All commands, from the same description that reads the command line.
[[nodiscard]] command_description describe_command_line();

} // namespace replicant::cli
