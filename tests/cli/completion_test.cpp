// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/command_line.hpp"
#include "replicant/actors/cli/completion.hpp"
#include "replicant/actors/cli/manual_page.hpp"
#include "replicant/tests/support/child_process.hpp"
#include "replicant/tests/support/temp_dir.hpp"
#include "replicant/tests/support/test_files.hpp"

#include <algorithm>
#include <functional>
#include <sstream>

using namespace replicant::cli;
using namespace replicant::test;
using Catch::Matchers::Contains;

namespace {

using words = std::vector<std::string>;

/// Runs a command in `folder` to its end. @returns what it wrote, for a command that succeeds.
std::string output_of(const temp_dir& folder, const words& command) {
  const auto log = folder / "log";
  child_process process{command, log};
  const auto status = process.wait(std::chrono::seconds{30});
  INFO(read_file(log));
  REQUIRE(status == 0);
  return read_file(log);
}

bool is_installed(const std::string& program) {
  const temp_dir folder;
  child_process process{{"sh", "-c", "command -v " + program}, folder / "log"};
  return process.wait(std::chrono::seconds{30}) == 0;
}

/// What bash offers after these words; the last one is the one that is being typed.
words offered_by_bash(const words& typed) {
  const temp_dir folder;
  write_file(folder / "shop.toml", "");
  write_file(folder / "completion", completion_script(shell::bash, describe_command_line()));
  std::string script = "source " + (folder / "completion") + "; cd " + (folder / "") +
                       "; complete -p replicant >/dev/null || exit 1; COMP_WORDS=(replicant";
  for (const auto& word : typed)
    script += " '" + word + "'";
  script += "); COMP_CWORD=" + std::to_string(typed.size()) +
            "; _replicant; printf '%s\\n' \"${COMPREPLY[@]}\"";
  std::istringstream lines{output_of(folder, {"bash", "-uc", script})};
  words offered;
  for (std::string line; std::getline(lines, line);)
    offered.push_back(line);
  return offered;
}

bool holds(const words& offered, const std::string& word) {
  return std::ranges::find(offered, word) != offered.end();
}

void for_each_command(const command_description& from,
                      const std::function<void(const command_description&)>& call) {
  call(from);
  for (const auto& below : from.commands)
    for_each_command(below, call);
}

} // namespace

TEST_CASE("bash completes commands, options, their words and files", "[cli][unit]") {
  CHECK(offered_by_bash({"st"}) == words{"status"});
  CHECK(holds(offered_by_bash({""}), "run"));
  CHECK(offered_by_bash({"slot", ""}) == words{"list", "drop"});
  CHECK(offered_by_bash({"slot", "list", "--f"}) == words{"--format"});
  CHECK(offered_by_bash({"status", "--format", ""}) == words{"text", "json"});
  CHECK(offered_by_bash({"status", "--format", "=", "j"}) == words{"json"});
  CHECK(offered_by_bash({"status", "--format", "="}) == words{"text", "json"});
  CHECK(offered_by_bash({"run", "shop"}) == words{"shop.toml"});
  CHECK(offered_by_bash({"run", "--no-progress", "shop"}) == words{"shop.toml"});
  CHECK(offered_by_bash({"completion", ""}) == words{"bash", "zsh", "fish"});
  CHECK(offered_by_bash({"run", "--pipeline", ""}) == words{""});
  CHECK(offered_by_bash({"tail", "host=a", "-p", "p", "--col"}) == words{"--colour", "--color"});
}

TEST_CASE("bash offers every option of every command", "[cli][unit]") {
  for_each_command(describe_command_line(), [](const command_description& command) {
    words typed;
    std::istringstream name{command.name};
    for (std::string word; name >> word;)
      typed.push_back(word);
    typed.erase(typed.begin());
    typed.emplace_back("-");
    const auto offered = offered_by_bash(typed);
    for (const auto& option : command.options)
      for (const auto& one : option.names)
        CHECK(holds(offered, one));
  });
}

TEST_CASE("the scripts for zsh and fish hold every command and option", "[cli][unit]") {
  const auto program = describe_command_line();
  const auto zsh = completion_script(shell::zsh, program);
  const auto fish = completion_script(shell::fish, program);
  for_each_command(program, [&](const command_description& command) {
    CHECK_THAT(zsh, Contains("('" + command.name + "')"));
    for (const auto& option : command.options)
      for (const auto& name : option.names) {
        CHECK_THAT(zsh, Contains("'" + name + ":" + option.purpose + "'"));
        CHECK_THAT(fish, Contains(name.starts_with("--") ? " -l " + name.substr(2)
                                                         : " -s " + name.substr(1)));
      }
    for (const auto& below : command.commands)
      CHECK_THAT(fish, Contains("__replicant_at \"" + command.name + "\"' -a " +
                                below.name.substr(command.name.size() + 1)));
  });
}

TEST_CASE("the shells that are here take their scripts", "[cli][unit]") {
  const temp_dir folder;
  for (const auto& [name, which] : shells())
    if (is_installed(name)) {
      write_file(folder / name, completion_script(which, describe_command_line()));
      CHECK(output_of(folder, {name, "-n", folder / name}).empty());
    }
}

TEST_CASE("the manual page is right mdoc", "[cli][unit]") {
  const temp_dir folder;
  write_file(folder / "replicant.1", manual_page(describe_command_line()));
  CHECK(output_of(folder, {"mandoc", "-Tlint", folder / "replicant.1"}).empty());
}

TEST_CASE("the manual page holds every command, option and exit code", "[cli][unit]") {
  const temp_dir folder;
  const auto program = describe_command_line();
  write_file(folder / "replicant.1", manual_page(program));
  const auto page = output_of(folder, {"mandoc", "-Tutf8", "-Owidth=500", folder / "replicant.1"});
  std::string plain; // Bold and underlined letters are struck twice.
  for (const auto c : page)
    if (c == '\b')
      plain.pop_back();
    else
      plain += c;
  for_each_command(program, [&](const command_description& command) {
    CHECK_THAT(plain, Contains(command.purpose));
    for (const auto& sentence : command.details)
      CHECK_THAT(plain, Contains(sentence));
    for (const auto& option : command.options)
      for (const auto& name : option.names)
        CHECK_THAT(plain, Contains(name));
    for (const auto& example : command.examples)
      CHECK_THAT(plain, Contains(example));
    for (const auto& [code, meaning] : command.exit_codes)
      CHECK_THAT(plain, Contains(meaning));
  });
}

TEST_CASE("the manual page is dated, and tells what every use needs and reads", "[cli][unit]") {
  const auto page = manual_page(describe_command_line());
  CHECK_THAT(page, Catch::Matchers::Matches(R"(\.Dd [A-Z][a-z]+ \d{1,2}, \d{4}\n[^]*)"));
  CHECK_THAT(page, Contains("replicant tail \\-p NAME[,NAME] [OPTIONS] CONNINFO"));
  for (const auto* name :
       {"STATE_DIRECTORY", "XDG_STATE_HOME", "HOME", "TERM", "NO_COLOR", "LC_ALL", "LC_CTYPE",
        "LANG", "NOTIFY_SOCKET", "PGHOST", "PGPASSWORD", "PGPASSFILE", "PGSERVICE"})
    CHECK_THAT(page, Contains(std::string{" "} + name));
}

TEST_CASE("nothing that is shown can be a request or an escape of roff", "[cli][unit]") {
  command_description program{.name = "replicant", .purpose = ".TH\\n"};
  program.commands.push_back({.name = "replicant odd", .purpose = "'so x", .details = {".so y"}});
  const auto page = manual_page(program);
  CHECK_THAT(page, Contains("\n\\&.TH\\en.\n"));
  CHECK_THAT(page, Contains("\n\\&'so x.\n"));
  CHECK_THAT(page, Contains("\n\\&.so y\n"));
}
