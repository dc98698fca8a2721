// SPDX-License-Identifier: MIT
#include "replicant/tests/support/program.hpp"

#include "replicant/tests/support/test_files.hpp"

#include <nlohmann/json.hpp>
#include <sys/wait.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace replicant::test {

namespace {

/// A TOML string.
std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump();
}

/// A TOML list.
std::string publications(const program_options& options) {
  nlohmann::json list{options.publication};
  for (const auto& one : options.more_publications)
    list.push_back(one);
  return list.dump();
}

void add_lines(std::ostream& to, const std::vector<std::string>& lines) {
  for (const auto& line : lines)
    to << line << '\n';
}

} // namespace

program::program(program_options options)
  : options_{std::move(options)},
    file_{options_.file.empty() ? folder_ / "shop.jsonl" : options_.file} {
  configure();
  if (options_.user == run_as::server_user)
    give_to_server_user(folder_.path().string());
}

void program::configure() const {
  std::ofstream toml{folder_ / "config.toml"};
  toml << "[runtime]\nstate_dir = " << quoted(folder_ / "state") << '\n';
  add_lines(toml, options_.runtime);
  toml << "[[pipeline]]\nname = \"shop\"\nslot_name = \"shop\"\n"
       << "publication = " << publications(options_) << '\n'
       << "go_forward_only = " << (options_.go_forward_only ? "true\n" : "false\n");
  add_lines(toml, options_.pipeline);
  toml << "[pipeline.connection]\nconninfo = " << quoted(options_.conninfo) << '\n'
       << "[pipeline.sink]\nkind = \"jsonl\"\npath = " << quoted(file_) << '\n'
       << "fsync = " << quoted(options_.fsync) << '\n';
  add_lines(toml, options_.rest);
  if (!toml.flush())
    throw std::runtime_error{"cannot write a configuration"};
}

std::vector<std::string> program::with_variables() const {
  std::vector<std::string> command{"env"};
  command.insert(command.end(), variables_.begin(), variables_.end());
  return command;
}

void program::start(std::vector<std::string> variables) {
  if (running())
    throw std::logic_error{"the program runs already"};
  const auto log = folder_ / "output";
  std::error_code none_yet;
  const auto size = std::filesystem::file_size(log, none_yet);
  seen_ = none_yet ? 0 : size;
  variables_ = std::move(variables);
  auto command = with_variables();
  command.insert(command.end(), wrapper_.begin(), wrapper_.end());
  command.insert(command.end(), {REPLICANT_PROGRAM, "run", folder_ / "config.toml"});
  process_ = std::make_unique<child_process>(command, log, options_.user);
}

void program::kill() {
  process_->signal(SIGKILL);
  wait();
}

ending program::wait(std::chrono::milliseconds patience) {
  const auto status = process_->wait(patience);
  if (!status)
    throw std::runtime_error{"the program did not end: " + output()};
  return {.exit_code = WIFEXITED(*status) ? WEXITSTATUS(*status) : -1,
          .signal = WIFSIGNALED(*status) ? WTERMSIG(*status) : 0};
}

ending program::stop() {
  terminate();
  return wait();
}

std::string program::ask(const std::string& format) const {
  const temp_dir folder;
  auto command = with_variables();
  command.insert(command.end(),
                 {REPLICANT_PROGRAM, "status", folder_ / "config.toml", "--format", format});
  child_process question{command, folder / "answer", options_.user};
  // One more look than its own patience allows.
  question.wait(std::chrono::seconds{20});
  return read_file(folder / "answer");
}

nlohmann::json program::status() const {
  const auto answer = ask("json");
  const auto start = answer.find('{');
  const auto document = nlohmann::json::parse(
    start == std::string::npos ? std::string{} : answer.substr(start), nullptr, false);
  if (!document.is_object() || document["pipelines"].empty())
    return {};
  return document["pipelines"][0];
}

std::string program::status_text() const {
  return ask("text");
}

bool program::is(const std::string& state) const {
  const auto told = status();
  return told.is_object() && told["state"] == state;
}

std::string program::output() const {
  return all_output().substr(seen_);
}

std::string program::all_output() const {
  return read_file(folder_ / "output");
}

std::vector<std::string> program::files() const {
  std::vector<std::string> found;
  const auto closed = file_ + ".";
  constexpr std::size_t digits = 16;
  for (const auto& entry :
       std::filesystem::directory_iterator{std::filesystem::path{file_}.parent_path()})
    if (const auto path = entry.path().string();
        path.starts_with(closed) && path.size() == closed.size() + digits)
      found.push_back(path);
  std::ranges::sort(found);
  found.push_back(file_);
  return found;
}

std::string program::content() const {
  return read_file(file_);
}

} // namespace replicant::test
