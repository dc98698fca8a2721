// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/cli/command_line.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>

namespace replicant::cli {

/// What is told of a command beside what CLI11 knows.
struct command_notes {
  std::vector<std::string> details{}; ///< Sentences.
  std::vector<std::string> examples{};
  std::vector<exit_meaning> exit_codes{};
};

/// What may stand after an option or in place of an argument, for those who explain it.
struct value_notes {
  value_kind kind = value_kind::text;
  std::vector<std::string> words{};
};

/// The commands and options of the program: the one description that parsing, help, completion and
/// the manual page come from.
class command_line_syntax {
public:
  command_line_syntax();

  [[nodiscard]] CLI::App& root() { return root_; }

  /// What the parsed command asks for.
  [[nodiscard]] request wanted() const;

  [[nodiscard]] command_description describe() const { return describe(root_); }

private:
  /// Adds a command whose options fill `Request`.
  template <class Request>
  std::pair<CLI::App*, std::shared_ptr<Request>>
  add(CLI::App& under, const std::string& name, const std::string& purpose, command_notes notes);
  CLI::App& add_group(const std::string& name, const std::string& purpose);

  CLI::Option* add_argument(CLI::App& to, const std::string& name, std::string& into,
                            value_kind kind, const std::string& purpose);
  void add_configuration(CLI::App& to, std::string& into);
  void add_pipeline(CLI::App& to, std::optional<std::string>& into, const std::string& purpose);
  void add_format(CLI::App& to, output_format& into, const std::string& purpose);
  template <class Value>
  CLI::Option* add_choice(CLI::App& to, const std::string& names, Value& into,
                          const std::vector<std::pair<std::string, Value>>& words,
                          const std::string& purpose);

  /// Says what an option takes: `shown` stands for it in a text.
  CLI::Option* takes(CLI::Option* option, const std::string& shown, value_notes notes = {});

  void add_run();
  void add_check();
  void add_status();
  void add_tail();
  void add_slot();
  void add_checkpoint();
  void add_adoption(CLI::App& group);
  void add_reset(CLI::App& group);
  void add_schema();
  void add_change(CLI::App& to, change_request& into, const std::string& shown,
                  const std::string& purpose);
  void add_texts();

  void explain(CLI::App& command, command_notes notes);
  [[nodiscard]] command_description describe(const CLI::App& command) const;
  [[nodiscard]] parameter_description describe(const CLI::Option& option) const;

  CLI::App root_;
  std::map<const CLI::App*, command_notes> notes_;
  std::map<const CLI::App*, std::function<request()>> wishes_;
  std::map<const CLI::Option*, value_notes> values_; ///< Of all that take one.
};

/// The command that the arguments named, as far as they have been understood.
[[nodiscard]] const CLI::App& chosen_command(const CLI::App& root);

/// A command with those that it belongs to, as it is typed: "replicant slot list".
[[nodiscard]] std::string full_name(const CLI::App& command);

/// Whether a command is one that help tells of.
[[nodiscard]] bool is_shown(const CLI::App* command);

/// One line that says what is wrong with the arguments, without repeating any of them. `what` is
/// what `root` threw over them; it may be used up for finding out more.
[[nodiscard]] std::string explain_mistake(CLI::App& root, const CLI::ParseError& what,
                                          const std::vector<std::string>& arguments);

/// Reads arguments, as `CLI::App::parse` does. @throws CLI::ParseError
void read_arguments(CLI::App& root, std::span<const std::string> arguments);

} // namespace replicant::cli
