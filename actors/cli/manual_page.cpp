// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/manual_page.hpp"

#include <string_view>

namespace replicant::cli {

namespace {

constexpr std::string_view surroundings = R"(.Sh ENVIRONMENT
.Bl -tag -width Ds
.It Ev STATE_DIRECTORY , XDG_STATE_HOME , HOME
Unless the configuration names the state folder: the folder itself,
the folder that holds
.Pa replicant ,
or the one that holds
.Pa .local/state/replicant .
The first that is set counts.
.It Ev TMPDIR
Where
.Cm tail
puts what does not fit into memory, in a folder of its own that it removes.
Without it
.Pa /tmp .
.It Ev TERM
Without one, or with
.Cm dumb ,
a terminal gets neither moving lines nor colours.
.It Ev NO_COLOR
No colours on a terminal, unless it is empty.
.It Ev LC_ALL , LC_CTYPE , LANG
The first that is set says whether the terminal shows UTF\-8.
.It Ev NOTIFY_SOCKET
Where the service manager is told how it is.
.It Ev PGHOST , PGPASSWORD , PGPASSFILE , PGSERVICE ...
And all other variables that libpq reads.
.El
.Sh FILES
.Bl -tag -width Ds
.It Pa control.sock
In the state folder, unless the configuration says otherwise: answers
.Cm status .
.It Pa NAME.halted
In the state folder: why the pipeline of this name has halted.
Starting it again removes the file.
.It Pa NAME.accepted
In the state folder: the changes of tables that
.Cm schema accept
has accepted.
.It Pa spill
In the state folder, unless the configuration says otherwise: rows of
transactions that are open and do not fit into memory, in clear text.
What is there goes with its transaction.
.El
)";

/// Text that is only shown, in roff: no line of it is a request, no character of it an escape.
std::string shown(std::string_view text) {
  std::string safe;
  bool line_begins = true;
  for (const auto c : text) {
    if (line_begins && (c == '.' || c == '\''))
      safe += "\\&";
    if (c == '\\')
      safe += "\\e";
    else if (c == '-')
      safe += "\\-";
    else
      safe += c;
    line_begins = c == '\n';
  }
  return safe;
}

/// One argument of a macro.
std::string quoted(std::string_view text) {
  std::string safe{"\""};
  for (const auto c : shown(text))
    safe += c == '"' ? std::string{"\\(dq"} : std::string{c};
  return safe + "\"";
}

/// A purpose or a meaning as a sentence.
std::string line(std::string_view text) {
  return shown(text) + (text.ends_with('.') ? "\n" : ".\n");
}

std::string parameters(const std::vector<parameter_description>& all) {
  std::string text;
  for (const auto& one : all) {
    text += ".It";
    std::string_view separator;
    for (const auto& name : one.names) {
      text.append(separator).append(name.starts_with('-') ? " Fl " : " Ar ");
      text += shown(name.starts_with('-') ? name.substr(1) : name);
      separator = " ,";
    }
    if (one.names.front().starts_with('-') && one.kind != value_kind::none)
      text += " Ar " + quoted(one.value);
    text += "\n" + line(one.purpose);
  }
  return text;
}

std::string tagged_list(const std::string& items) {
  return items.empty() ? "" : ".Bl -tag -width Ds\n" + items + ".El\n";
}

std::string usage(const command_description& command) {
  std::string text = command.name;
  for (const auto& option : command.options)
    if (option.required)
      text += " " + option.names.front() + " " + option.value;
  if (!command.options.empty())
    text += " [OPTIONS]";
  for (const auto& argument : command.arguments)
    text += " " + argument.names.front();
  return text + (command.commands.empty() ? "" : " COMMAND");
}

std::string section(const command_description& command) {
  std::string text = ".Ss " + quoted(usage(command)) + "\n" + line(command.purpose);
  for (const auto& sentence : command.details)
    text += shown(sentence) + "\n";
  text += tagged_list(parameters(command.arguments) + parameters(command.options));
  if (!command.examples.empty())
    text += ".Pp\nFor example:\n";
  for (const auto& one : command.examples)
    text += ".Dl " + quoted(one) + "\n";
  std::string codes;
  for (const auto& [code, meaning] : command.exit_codes)
    codes += ".It " + std::to_string(code) + "\n" + line(meaning);
  if (!codes.empty())
    text += ".Pp\nExit codes:\n" + tagged_list(codes);
  return text;
}

} // namespace

std::string manual_page(const command_description& program) {
  std::string text = ".Dd November 30, 2026\n.Dt REPLICANT 1\n.Os\n.Sh NAME\n.Nm replicant\n";
  text +=
    ".Nd change data capture for PostgreSQL\n.Sh SYNOPSIS\n.Nm\n.Ar COMMAND\n.Op Ar OPTIONS\n";
  text += ".Sh DESCRIPTION\n" + line(program.purpose);
  for (const auto& sentence : program.details)
    text += shown(sentence) + "\n";
  text += tagged_list(parameters(program.options));
  text += ".Sh COMMANDS\n";
  for (const auto* command : all_commands(program))
    if (command != &program)
      text += section(*command);
  return text.append(surroundings);
}

} // namespace replicant::cli
