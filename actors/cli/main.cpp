// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/commands.hpp"
#include "replicant/actors/cli/failpoint_actions.hpp"
#include "replicant/actors/cli/signals.hpp"
#include "replicant/actors/cli/tail.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <iostream>
#include <map>
#include <new>

namespace {

using namespace replicant::cli;

/// What the command line asks for.
struct wish {
  std::string file;
  std::optional<std::string> pipeline;
  output_format format = output_format::text;
};

constexpr const char* footer = R"(Exit codes:
  run     0 stopped as asked   1 a pipeline halted     2 wrong input  3 could not be started
  check   0 right                                      2 wrong input
  status  0 running            1 a pipeline is halted  2 wrong input  3 nothing is running
  run also ends with 143 at a second signal, or when it cannot finish within 10 seconds.)";

CLI::App* add_command(CLI::App& app, wish& into, const char* name, const char* purpose) {
  auto* command = app.add_subcommand(name, purpose);
  command->add_option("CONFIG", into.file, "The configuration, a TOML file")->required();
  command->footer(footer);
  return command;
}

exit_code dispatch(int argc, char** argv) {
  CLI::App app{"Streams the changes of PostgreSQL databases into sinks.", "replicant"};
  wish asked;
  app.set_version_flag("--version", "replicant " REPLICANT_VERSION);
  app.require_subcommand(1);
  app.footer(footer);

  auto* running = add_command(app, asked, "run", "Run pipelines until SIGINT or SIGTERM");
  running->add_option("--pipeline", asked.pipeline, "Run only the pipeline of this name");
  const auto* checking =
    add_command(app, asked, "check", "Tell everything that is wrong with a configuration");
  auto* asking = add_command(app, asked, "status", "Ask the running program what it is doing");
  const std::map<std::string, output_format> formats{{"text", output_format::text},
                                                     {"json", output_format::json}};
  asking->add_option("--format", asked.format, "text (default) or json")
    ->transform(CLI::CheckedTransformer(formats).description("FORMAT"));

  tail_request follow;
  auto* following = app.add_subcommand("tail", "Show changes as they are committed");
  following->add_option("CONNINFO", follow.conninfo)->required();
  following->add_option("-p,--publication", follow.publications)->delimiter(',')->required();
  following->add_option("-t,--table", follow.tables);
  following->add_option("--format", follow.format)->transform(CLI::CheckedTransformer(formats));
  const std::map<std::string, colour_choice> colours{{"auto", colour_choice::automatic},
                                                     {"always", colour_choice::always},
                                                     {"never", colour_choice::never}};
  following->add_option("--colour,--color", follow.colour)
    ->transform(CLI::CheckedTransformer(colours));
  following->add_option("--max", follow.most_changes);
  following->add_flag("--messages", follow.messages);
  following->add_flag("--since-now");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& told) {
    // Help and version are thrown too, with success.
    return app.exit(told) == 0 ? exit_code::fine : exit_code::wrong_input;
  }
  if (following->parsed()) {
    conceal_argument(argc, argv, follow.conninfo);
    return tail(follow);
  }
  if (running->parsed())
    return run(asked.file, asked.pipeline);
  return checking->parsed() ? check(asked.file) : status(asked.file, asked.format);
}

} // namespace

int main(int argc, char** argv) {
  try {
    harden_process();
#ifdef REPLICANT_FAILPOINTS
    if (!install_failpoints()) {
      std::cerr << "replicant: REPLICANT_FAILPOINT cannot be understood\n";
      return static_cast<int>(exit_code::wrong_input);
    }
#endif
    return static_cast<int>(dispatch(argc, argv));
  } catch (const std::bad_alloc&) {
    std::cerr << "replicant: out of memory\n";
  } catch (const std::exception&) {
    // Its text may repeat what was being handled.
    std::cerr << "replicant: could not go on\n";
  }
  return static_cast<int>(exit_code::unavailable);
}
