// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/command_line.hpp"

#include <catch2/catch.hpp>

#include <map>

using namespace replicant::cli;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

using arguments = std::vector<std::string>;

const std::string planted = "s3cr3t-planted";

template <class Request>
Request asked(const arguments& given) {
  const auto parsed = parse_command_line(given);
  REQUIRE(parsed);
  REQUIRE(std::holds_alternative<Request>(*parsed));
  return std::get<Request>(*parsed);
}

std::string complaint(const arguments& given) {
  const auto parsed = parse_command_line(given);
  REQUIRE_FALSE(parsed);
  return parsed.error();
}

void check_help(const command_description& command) {
  arguments given{"--help"};
  for (auto rest = command.name; rest.find(' ') != std::string::npos;) {
    const auto last = rest.rfind(' ');
    given.insert(given.begin(), rest.substr(last + 1));
    rest.resize(last);
  }
  const auto help = asked<text_request>(given).text;
  INFO(command.name);
  CHECK_THAT(help, StartsWith(command.purpose));
  for (const auto& option : command.options)
    for (const auto& name : option.names)
      CHECK_THAT(help, Contains(name));
  for (const auto& below : command.commands)
    check_help(below);
  if (!command.commands.empty())
    return;
  CHECK_THAT(help, Contains("Example"));
  CHECK_THAT(help, Contains("Exit codes:\n  0  "));
}

} // namespace

TEST_CASE("every command reads its options", "[cli][unit]") {
  const auto running = asked<run_request>({"run", "a.toml", "--pipeline", "shop"});
  CHECK(running.file == "a.toml");
  CHECK(running.pipeline == "shop");
  CHECK(running.live_progress);
  CHECK_FALSE(asked<run_request>({"run", "--no-progress", "a.toml"}).live_progress);
  CHECK(asked<check_request>({"check", "a.toml"}).file == "a.toml");
  CHECK(asked<status_request>({"status", "a.toml"}).format == output_format::text);
  CHECK(asked<status_request>({"status", "a.toml", "--format=json"}).format == output_format::json);
  CHECK(asked<slot_list_request>({"slot", "list", "a.toml"}).file == "a.toml");
  const auto dropping = asked<slot_drop_request>({"slot", "drop", "a.toml", "--yes"});
  CHECK(dropping.confirmed);
  CHECK_FALSE(dropping.pipeline);
  CHECK_FALSE(asked<slot_drop_request>({"slot", "drop", "a.toml"}).confirmed);
  CHECK(asked<checkpoint_show_request>({"checkpoint", "show", "a.toml"}).file == "a.toml");
}

TEST_CASE("tail reads all that it can be asked", "[cli][unit]") {
  const auto plain = asked<tail_request>({"tail", "host=a", "-p", "p"});
  CHECK(plain.conninfo == "host=a");
  CHECK(plain.publications == arguments{"p"});
  CHECK(plain.tables.empty());
  CHECK(plain.format == output_format::text);
  CHECK(plain.colour == colour_choice::automatic);
  CHECK_FALSE(plain.most_changes);
  CHECK_FALSE(plain.messages);
  const auto full = asked<tail_request>({"tail", "-p", "a,b", "--publication", "c", "-t", "s.t",
                                         "--table", "u", "--format", "json", "--color", "never",
                                         "--max", "7", "--messages", "--since-now", "host=a"});
  CHECK(full.conninfo == "host=a");
  CHECK(full.publications == arguments{"a", "b", "c"});
  CHECK(full.tables == arguments{"s.t", "u"});
  CHECK(full.format == output_format::json);
  CHECK(full.colour == colour_choice::never);
  CHECK(full.most_changes == 7U);
  CHECK(full.messages);
  CHECK(asked<tail_request>({"tail", "c", "-p", "p", "--colour", "always"}).colour ==
        colour_choice::always);
}

TEST_CASE("help shows every option, an example and the exit codes of its own command",
          "[cli][unit]") {
  const auto program = describe_command_line();
  CHECK(program.commands.size() >= 7);
  check_help(program);
  CHECK_THAT(asked<text_request>({"check", "--help"}).text, !Contains("143"));
  CHECK_THAT(asked<text_request>({"run", "--help"}).text, Contains("143"));
}

TEST_CASE("a mistake on the command line is told with what to write instead", "[cli][unit]") {
  const std::vector<std::pair<arguments, std::string>> mistakes{
    {{}, "replicant: a command is missing; write one of run, check, "},
    {{"sttus"}, "replicant: argument 1 is no command; write \"status\" if that is meant"},
    {{"xyzzy"}, "replicant: argument 1 is no command; write one of run, check, "},
    {{"slot"}, "replicant slot: a command is missing; write one of list, drop; see replicant slot"},
    {{"slot", "lst", "a"}, "replicant slot: argument 2 is no command; write \"list\""},
    {{"run"}, "replicant run: CONFIG is required; see replicant run --help"},
    {{"run", "a", "--pipelin", "x"},
     "replicant run: argument 3 is no option of this command; write \"--pipeline\" if"},
    {{"run", "a", "-z"}, "replicant run: argument 3 is no option of this command; write one of "},
    {{"run", "a", "b"},
     "replicant run: argument 3 is one too many; beside options it takes CONFIG"},
    {{"run", "a", "a"}, "replicant run: argument 3 is one too many; "},
    {{"run", "a", "a", "--pipeline", "a"}, "replicant run: argument 3 is one too many; "},
    {{"run", "a", "--pipeline", "a", "a"}, "replicant run: argument 5 is one too many; "},
    {{"slot", "list", "list", "list"}, "replicant slot list: argument 4 is one too many; "},
    {{"--pipeline", "run", "a"}, "replicant: argument 1 is no option of this command; write one"},
    {{"run", "a", "b", "--pipelin"}, "replicant run: argument 3 is one too many; "},
    {{"check", "a", "--", "a"}, "replicant check: argument 4 is one too many; "},
    {{"run", "a", "--pipeline="}, "replicant run: --pipeline needs a value; write --pipeline NAME"},
    {{"tail", "c", "-p"}, "replicant tail: --publication needs a value; write --publication NAME["},
    {{"run", "a", "--pipeline"}, "replicant run: --pipeline needs a value; write --pipeline NAME"},
    {{"run", "a", "--pipeline", "a", "--pipeline", "b"},
     "replicant run: --pipeline may be given only once"},
    {{"run", "a", "--no-progress=1"}, "replicant run: --no-progress takes no value"},
    {{"status", "a", "--format", "xml"}, "replicant status: --format: takes one of text, json"},
    {{"tail", "c"}, "replicant tail: --publication is required"},
    {{"tail", "-p", "p"}, "replicant tail: CONNINFO is required"},
    {{"tail", "c", "-p", "p", "--max", "0"}, "replicant tail: --max: takes a whole number above 0"},
    {{"tail", "c", "-p", "p", "--max", "99999999999999999999"}, "replicant tail: --max: takes a"},
    {{"completion", "ksh"}, "replicant completion: SHELL: takes one of bash, zsh, fish"},
  };
  for (const auto& [given, told] : mistakes) {
    const auto text = complaint(given);
    CHECK_THAT(text, StartsWith(told));
    CHECK(text.find('\n') == std::string::npos);
  }
}

TEST_CASE("what an option takes is described, not guessed", "[cli][unit]") {
  std::map<std::string, value_kind> kinds;
  for (const auto& program = describe_command_line(); const auto* command : all_commands(program))
    for (const auto* list : {&command->arguments, &command->options})
      for (const auto& one : *list)
        kinds[command->name + " " + one.names.back()] = one.kind;
  CHECK(kinds.at("replicant run CONFIG") == value_kind::file);
  CHECK(kinds.at("replicant tail CONNINFO") == value_kind::text);
  CHECK(kinds.at("replicant run --pipeline") == value_kind::text);
  CHECK(kinds.at("replicant tail --table") == value_kind::text);
  CHECK(kinds.at("replicant status --format") == value_kind::word);
  CHECK(kinds.at("replicant completion SHELL") == value_kind::word);
  CHECK(kinds.at("replicant run --no-progress") == value_kind::none);
  CHECK(kinds.at("replicant run --help") == value_kind::none);
}

TEST_CASE("no mistake repeats an argument, for it may be a password", "[cli][unit]") {
  const std::vector<arguments> mistakes{
    {planted},
    {"slot", planted},
    {"run", "a", planted},
    {"run", "a", "--" + planted},
    {"run", "a", "--password=" + planted},
    {"run", "a", "-" + planted},
    {"run", "a", "--no-progress=" + planted},
    {"run", "--pipeline", planted, "--pipeline", planted, "a"},
    {"status", "a", "--format", planted},
    {"tail", "password=" + planted},
    {"tail", "host=a", "password=" + planted, "-p", "p"},
    {"tail", "host=a", "-p", "p", "--max", planted},
    {"tail", "host=a", "-p", "p", "--since-now=" + planted},
    {"tail", "host=a", "-p", "p", "--colour", planted},
    {"completion", planted},
    {"--version=" + planted},
    {"--help=" + planted},
  };
  for (const auto& given : mistakes) {
    const auto parsed = parse_command_line(given);
    CHECK_THAT(parsed ? std::get<text_request>(*parsed).text : parsed.error(), !Contains(planted));
  }
}
