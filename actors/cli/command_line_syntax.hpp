// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/cli/command_line.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <functional>
#include <map>
#include <memory>

namespace replicant::cli {

/// What is told of a command beside what CLI11 knows.
struct command_notes {
  std::vector<std::string> details{}; ///< Sentences.
  std::vector<std::string> examples{};
  std::vector<exit_meaning> exit_codes{};
};

/// The commands and options of the program: the one description that parsing, help, completion and
/// the manual page come from.
class command_line_syntax {
public:
  command_line_syntax();

  [[nodiscard]] CLI::App& root() { return root_; }

  /// What the parsed command asks for.
  [[nodiscard]] request wanted() const;

  [[nodiscard]] command_description describe() const { return describe(root_, root_.get_name()); }

private:
  /// Adds a command whose options fill `Request`.
  template <class Request>
  std::pair<CLI::App*, std::shared_ptr<Request>>
  add(CLI::App& under, const std::string& name, const std::string& purpose, command_notes notes);
  CLI::App& add_group(const std::string& name, const std::string& purpose);

  void add_run();
  void add_check();
  void add_status();
  void add_tail();
  void add_slot();
  void add_checkpoint();
  void add_texts();

  void explain(CLI::App& command, command_notes notes);
  [[nodiscard]] command_description describe(const CLI::App& app, const std::string& name) const;

  CLI::App root_;
  std::map<const CLI::App*, command_notes> notes_;
  std::map<const CLI::App*, std::function<request()>> wishes_;
};

/// One line that says what is wrong with the arguments, without repeating any of them.
[[nodiscard]] std::string explain_mistake(const CLI::App& root, const CLI::ParseError& what,
                                          const std::vector<std::string>& arguments);

} // namespace replicant::cli
