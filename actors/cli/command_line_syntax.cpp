// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/command_line_syntax.hpp"

#include "replicant/actors/cli/completion.hpp"
#include "replicant/actors/cli/manual_page.hpp"
#include "replicant/actors/cli/proposal.hpp"
#include "replicant/core/model/number_text.hpp"

#include <algorithm>

namespace replicant::cli {

namespace {

const exit_meaning wrong_input{2, "the configuration or the command line is wrong"};
const exit_meaning told_or_done{0, "told, or done"};
const exit_meaning refused{1, "refused: it says why"};
const exit_meaning not_changeable{2,
                                  "the command line is wrong, or nothing is kept that can change"};
const exit_meaning unheard{3, "standard output does not take what it says"};
const exit_meaning left{143, "left without finishing, at a second signal or after 10 seconds"};

constexpr const char* tables = "A table for people (the default) or one JSON document";

template <class Value>
using choices = std::vector<std::pair<std::string, Value>>;

const choices<output_format> formats{{"text", output_format::text}, {"json", output_format::json}};

/// A flag, which takes no value.
void add_flag(CLI::App& to, const std::string& name, std::function<void()> given,
              const std::string& purpose) {
  to.add_flag_callback(name, std::move(given), purpose)->disable_flag_override();
}

std::string is_count(const std::string& text) {
  return parse_number<std::uint64_t>(text).value_or(0) > 0 ? "" : "takes a whole number above 0";
}

std::string footer_of(const command_notes& notes) {
  std::string text;
  for (const auto& sentence : notes.details)
    text.append(sentence).append("\n");
  const auto head = [&text](const char* title) {
    text.append(text.empty() ? "" : "\n").append(title).append("\n");
  };
  if (!notes.examples.empty())
    head(notes.examples.size() == 1 ? "Example:" : "Examples:");
  for (const auto& one : notes.examples)
    text.append("  ").append(one).append("\n");
  if (!notes.exit_codes.empty())
    head("Exit codes:");
  for (const auto& [code, meaning] : notes.exit_codes)
    text.append("  ").append(std::to_string(code)).append("  ").append(meaning).append("\n");
  text.erase(text.find_last_not_of('\n') + 1);
  return text;
}

} // namespace

command_line_syntax::command_line_syntax()
  : root_{"Streams the changes of PostgreSQL databases into sinks.", "replicant"} {
  root_.get_formatter()->label("REQUIRED", "(required)");
  root_.get_formatter()->label("SUBCOMMAND", "COMMAND");
  root_.get_formatter()->label("Positionals", "Arguments");
  root_.set_help_flag("-h,--help", "Explain the command");
  root_.set_version_flag("--version", "replicant " REPLICANT_VERSION, "Tell the version");
  root_.require_subcommand(1);
  explain(root_, {.details = {"replicant COMMAND --help explains a command."}});
  add_run();
  add_check();
  add_status();
  add_tail();
  add_slot();
  add_checkpoint();
  add_schema();
  add_texts();
}

const CLI::App& chosen_command(const CLI::App& root) {
  const auto* command = &root;
  while (!command->get_subcommands().empty())
    command = command->get_subcommands().front();
  return *command;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as commands are nested.
std::string full_name(const CLI::App& command) {
  const auto* const above = command.get_parent();
  return above == nullptr ? command.get_name() : full_name(*above) + " " + command.get_name();
}

bool is_shown(const CLI::App* command) {
  return !command->get_group().empty();
}

void read_arguments(CLI::App& root, std::span<const std::string> arguments) {
  root.parse(std::vector(arguments.rbegin(), arguments.rend())); // It takes them from the back.
}

request command_line_syntax::wanted() const {
  return wishes_.at(&chosen_command(root_))();
}

template <class Request>
std::pair<CLI::App*, std::shared_ptr<Request>>
command_line_syntax::add(CLI::App& under, const std::string& name, const std::string& purpose,
                         command_notes notes) {
  auto* const command = under.add_subcommand(name, purpose)->group("Commands");
  auto into = std::make_shared<Request>();
  explain(*command, std::move(notes));
  wishes_.emplace(command, [into] { return request{*into}; });
  return {command, into};
}

CLI::App& command_line_syntax::add_group(const std::string& name, const std::string& purpose) {
  return *root_.add_subcommand(name, purpose)->group("Commands")->require_subcommand(1);
}

void command_line_syntax::explain(CLI::App& command, command_notes notes) {
  command.footer(footer_of(notes));
  notes_.emplace(&command, std::move(notes));
}

CLI::Option* command_line_syntax::takes(CLI::Option* option, const std::string& shown,
                                        value_notes notes) {
  values_.emplace(option, std::move(notes));
  return option->type_name(shown);
}

/// An option that takes one of a few words. Told without the word that was given instead.
template <class Value>
CLI::Option* command_line_syntax::add_choice(CLI::App& to, const std::string& names, Value& into,
                                             const choices<Value>& words,
                                             const std::string& purpose) {
  std::vector<std::string> known;
  for (const auto& one : words)
    known.push_back(one.first);
  const auto find = [words](const std::string& word) {
    return std::ranges::find(words, word, &std::pair<std::string, Value>::first);
  };
  const auto store = [&into, find](const std::string& word) { into = find(word)->second; };
  const auto check = [known](const std::string& word) {
    return std::ranges::count(known, word) > 0 ? std::string{} : "takes " + one_of(known);
  };
  auto* const option = to.add_option_function<std::string>(names, store, purpose)->check(check);
  return takes(option, CLI::detail::join(known, "|"), {.kind = value_kind::word, .words = known});
}

CLI::Option* command_line_syntax::add_argument(CLI::App& to, const std::string& name,
                                               std::string& into, value_kind kind,
                                               const std::string& purpose) {
  auto* const argument = to.add_option(name, into, purpose)->required();
  argument->option_text(" "); // Its name says it all.
  return takes(argument, name, {.kind = kind});
}

void command_line_syntax::add_configuration(CLI::App& to, std::string& into) {
  add_argument(to, "CONFIG", into, value_kind::file, "The configuration, a TOML file");
}

void command_line_syntax::add_pipeline(CLI::App& to, std::optional<std::string>& into,
                                       const std::string& purpose) {
  takes(to.add_option("--pipeline", into, purpose), "NAME");
}

void command_line_syntax::add_format(CLI::App& to, output_format& into,
                                     const std::string& purpose) {
  add_choice(to, "--format", into, formats, purpose);
}

void command_line_syntax::add_run() {
  const auto [command, into] =
    add<run_request>(root_, "run", "Run pipelines until SIGINT or SIGTERM",
                     {.details = {"On a terminal a line for each pipeline shows how it moves.",
                                  "NO_COLOR in the environment leaves out the colours."},
                      .examples = {"replicant run shop.toml"},
                      .exit_codes = {{0, "stopped as asked"},
                                     {1, "a pipeline has halted"},
                                     wrong_input,
                                     {3, "the program could not be started"},
                                     left}});
  add_configuration(*command, into->file);
  add_pipeline(*command, into->pipeline, "Run only the pipeline of this name");
  add_flag(
    *command, "--no-progress", [into = into] { into->live_progress = false; },
    "Show no moving lines on a terminal");
}

void command_line_syntax::add_check() {
  const auto [command, into] =
    add<check_request>(root_, "check", "Tell everything that is wrong with a configuration",
                       {.examples = {"replicant check shop.toml"},
                        .exit_codes = {{0, "the configuration is right"}, wrong_input, unheard}});
  add_configuration(*command, into->file);
}

void command_line_syntax::add_status() {
  const auto [command, into] =
    add<status_request>(root_, "status", "Ask the running program what it is doing",
                        {.details = {"When nothing is running, earlier halts are told."},
                         .examples = {"replicant status shop.toml --format json"},
                         .exit_codes = {{0, "running, and nothing is halted"},
                                        {1, "a pipeline is halted"},
                                        wrong_input,
                                        {3, "nothing is running"}}});
  add_configuration(*command, into->file);
  add_format(*command, into->format, tables);
}

void command_line_syntax::add_tail() {
  const auto [command, into] = add<tail_request>(
    root_, "tail", "Show changes of a database as they are committed",
    {.details = {"Begins at the present moment and leaves nothing behind on the server.",
                 "Other users may see the arguments of a program: give a password by",
                 "passfile, by service file or in PGPASSWORD."},
     .examples = {"replicant tail 'host=db1 dbname=shop user=cdc' -p shop_pub",
                  "replicant tail postgres://cdc@db1/shop -p shop_pub --format json | head"},
     .exit_codes = {{0, "ended by a signal, by --max or by the reader of its output"},
                    {1, "halted: it says why"},
                    {2, "the command line is wrong"},
                    {3, "the program could not be started"},
                    left}});
  add_argument(*command, "CONNINFO", into->conninfo, value_kind::text,
               "Where to connect: a connection string or URI of libpq");
  takes(command->add_option("-p,--publication", into->publications, "The publications to follow")
          ->required()
          ->delimiter(',')
          ->allow_extra_args(false),
        "NAME[,NAME]");
  takes(
    command
      ->add_option("-t,--table", into->tables, "Show only this table; may be given several times")
      ->allow_extra_args(false),
    "[SCHEMA.]TABLE");
  add_format(*command, into->format, "For people (the default) or JSON lines");
  add_choice(*command, "--colour,--color", into->colour,
             {{"auto", colour_choice::automatic},
              {"always", colour_choice::always},
              {"never", colour_choice::never}},
             "Colours; by default on a terminal, unless NO_COLOR is set");
  takes(
    command->add_option("--max", into->most_changes, "End after so many changes")->check(is_count),
    "N");
  add_flag(
    *command, "--messages", [into = into] { into->messages = true; }, "Show logical messages too");
  add_flag(
    *command, "--since-now", [] {}, "Begin at the present moment (the default)");
}

void command_line_syntax::add_slot() {
  auto& group = add_group("slot", "List or drop the replication slots of a configuration");
  const auto [list, listed] = add<slot_list_request>(
    group, "list", "Show how the servers keep the slots that a configuration names",
    {.examples = {"replicant slot list shop.toml"},
     .exit_codes = {{0, "every slot is there and can be used"},
                    {1, "a slot is missing, lost or invalidated"},
                    wrong_input,
                    {3, "a server could not be asked"}}});
  add_configuration(*list, listed->file);
  add_format(*list, listed->format, tables);
  const auto [drop, dropped] = add<slot_drop_request>(
    group, "drop", "Drop the slots that a configuration names",
    {.details = {"Without its slot a sink cannot go on: the next start needs a new target.",
                 "Asks for the name of each slot before it is dropped.",
                 "Drops nothing while a program runs the configuration or a slot is in use."},
     .examples = {"replicant slot drop shop.toml --pipeline shop"},
     .exit_codes = {{0, "the slots are gone"},
                    {1, "at least one was not dropped: it says why"},
                    wrong_input,
                    {3, "a server could not be asked"}}});
  add_configuration(*drop, dropped->file);
  add_pipeline(*drop, dropped->pipeline, "Only the slot of the pipeline of this name");
  add_flag(
    *drop, "--yes", [into = dropped] { into->confirmed = true; }, "Do not ask");
}

void command_line_syntax::add_checkpoint() {
  auto& group = add_group("checkpoint", "Show or change how far the sinks of a configuration are");
  const auto [show, into] = add<checkpoint_show_request>(
    group, "show", "Show how far each sink is, and its slot beside it",
    {.details = {"Changes nothing, and works while the program runs."},
     .examples = {"replicant checkpoint show shop.toml"},
     .exit_codes = {
       {0, "nothing is wrong, as far as the servers answer"},
       {1, "a sink cannot be read, a slot cannot be used, or there is a gap between them"},
       wrong_input,
       unheard}});
  add_configuration(*show, into->file);
  add_format(*show, into->format, tables);
  add_adoption(group);
  add_reset(group);
}

/// What the commands have in common that only tell what they would do until that is confirmed.
void command_line_syntax::add_change(CLI::App& to, change_request& into, const std::string& shown,
                                     const std::string& purpose) {
  add_configuration(to, into.file);
  add_pipeline(to, into.pipeline, "The pipeline of this name; needed when there are several");
  takes(to.add_option("--confirm", into.confirmation, purpose), shown);
}

void command_line_syntax::add_adoption(CLI::App& group) {
  const auto [adopt, into] = add<checkpoint_adopt_request>(
    group, "adopt", "Let a sink go on from where its slot is, whatever it held before",
    {.details = {"For a slot that was made by hand, or a server that was upgraded or restored.",
                 "Without --confirm it tells what is held, and what would be lost or repeated.",
                 "A file is kept under another name.",
                 "Refused while a program runs the configuration or the slot is in use."},
     .examples = {"replicant checkpoint adopt shop.toml --pipeline shop",
                  "replicant checkpoint adopt shop.toml --pipeline shop --confirm shop_orders"},
     .exit_codes = {told_or_done, refused, not_changeable, {3, "a server could not be asked"}}});
  add_change(*adopt, *into, "SLOT", "Do it: the name of the slot");
}

void command_line_syntax::add_reset(CLI::App& group) {
  const auto [reset, into] = add<checkpoint_reset_request>(
    group, "reset", "Forget how far a sink is, so that its next start is a first one",
    {.details = {"Without --confirm it tells what is held and what would follow.",
                 "A file is kept under another name; the slot is not touched.",
                 "Refused while a program runs the configuration or the slot is in use."},
     .examples = {"replicant checkpoint reset shop.toml --pipeline shop --confirm shop_orders"},
     .exit_codes = {
       told_or_done, refused, not_changeable, {3, "the checkpoint store could not be asked"}}});
  add_change(*reset, *into, "SLOT", "Do it: the name of the slot");
}

void command_line_syntax::add_schema() {
  auto& group = add_group("schema", "Accept a change of a table that has halted a pipeline");
  const auto [accept, into] = add<schema_accept_request>(
    group, "accept", "Let a pipeline go on that has halted at a change of a table",
    {.details = {"Without --confirm it tells table, change, position and fingerprint.",
                 "The next start takes the change that was accepted."},
     .examples = {"replicant schema accept shop.toml --pipeline shop --confirm 00c0ffee00c0ffee"},
     .exit_codes = {told_or_done,
                    {1, "the pipeline has not halted so, or a program runs it"},
                    wrong_input,
                    {3, "the state folder cannot be written"}}});
  add_change(*accept, *into, "FINGERPRINT", "Do it: the fingerprint of the change");
}

void command_line_syntax::add_texts() {
  const auto add_text = [this](const std::string& name, const std::string& purpose,
                               command_notes notes) {
    auto* const command = root_.add_subcommand(name, purpose)->group("Commands");
    explain(*command, std::move(notes));
    return command;
  };
  auto* const completion =
    add_text("completion", "Print the script that completes command lines in a shell",
             {.examples = {"source <(replicant completion bash)",
                           "replicant completion fish > ~/.config/fish/completions/replicant.fish"},
              .exit_codes = {{0, "printed"}, {2, "the command line is wrong"}, unheard}});
  const auto chosen = std::make_shared<shell>(shell::bash);
  add_choice(*completion, "SHELL", *chosen, shells(), "bash, zsh or fish")->required();
  wishes_.emplace(completion,
                  [this, chosen] { return text_request{completion_script(*chosen, describe())}; });
  auto* const manual = add_text("man", "Print the manual page", {});
  manual->group("");
  wishes_.emplace(manual, [this] { return text_request{manual_page(describe())}; });
}

} // namespace replicant::cli
