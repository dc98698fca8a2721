// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace replicant::cli {

/// What may stand after an option or in place of an argument.
enum class value_kind : std::uint8_t {
  none, ///< A flag.
  file, ///< The path of a file.
  word, ///< One of a few words.
  text, ///< Anything.
};

/// An option or an argument of a command.
struct parameter_description {
  std::vector<std::string> names; ///< "-p", "--publication"; of an argument one, "CONFIG".
  value_kind kind = value_kind::none;
  std::string value;              ///< What stands for the value in a text: "NAME", "text|json".
  std::vector<std::string> words; ///< What `value_kind::word` allows.
  std::string purpose;
  bool required = false;
};

/// What one exit code means for a command.
struct exit_meaning {
  int code = 0;
  std::string meaning;
};

/// A command as it is explained to people and completed by shells: the program itself, a group of
/// commands, or one that does something.
struct command_description {
  std::string name; ///< With those that it belongs to: "replicant slot list".
  std::string purpose;
  std::vector<std::string> details; ///< More sentences.
  std::vector<parameter_description> arguments;
  std::vector<parameter_description> options;
  std::vector<std::string> examples;
  std::vector<exit_meaning> exit_codes;
  std::vector<command_description> commands;
};

/// The program and all its commands, each before those that belong to it.
[[nodiscard]] std::vector<const command_description*>
all_commands(const command_description& program);

} // namespace replicant::cli
