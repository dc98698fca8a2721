// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/tail.hpp"

#include "replicant/actors/cli/process.hpp"
#include "replicant/actors/cli/signals.hpp"
#include "replicant/actors/cli/system_config.hpp"
#include "replicant/actors/cli/tail_display.hpp"
#include "replicant/actors/cli/tail_mailbox.hpp"
#include "replicant/actors/cli/tail_notices.hpp"
#include "replicant/actors/cli/temporary_folder.hpp"
#include "replicant/actors/cli/terminal.hpp"
#include "replicant/actors/pipeline.hpp"
#include "replicant/actors/postgres/readiness.hpp"
#include "replicant/actors/postgres/replication_source.hpp"
#include "replicant/actors/postgres/table_catalog.hpp"
#include "replicant/actors/sinks/tail/tail_sink.hpp"

#include <caf/actor_system.hpp>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <random>

namespace replicant::cli {

namespace {

using namespace std::chrono_literals;

/// For an end in order. Then it simply leaves: nothing waits for what was not shown.
constexpr auto patience_at_stop = 3s;

/// Making a slot takes no longer on a server where no transaction is open.
constexpr auto patience_for_slot = 3s;

/// A name of its own for every connection: the server may still hold the slot of the last one.
std::string new_slot_name() {
  return "replicant_tail_" + std::to_string(::getpid()) + "_" +
         std::to_string(std::random_device{}());
}

/// `room` is where open transactions go that do not fit into memory.
pipeline_settings settings_of(const tail_request& asked, const temporary_folder& room) {
  pipeline_settings settings;
  settings.name = "tail";
  settings.slot = slot_lifetime::temporary;
  settings.publications = asked.publications;
  settings.messages = asked.messages;
  settings.streaming.enabled = false; // What is rolled back in the end is of no interest here.
  settings.streaming.spill = spill_settings{.dir = room.path()};
  return settings;
}

source_factory source_of(const tail_request& asked, tail_mailbox& mailbox) {
  return [options = postgres::source_options{.conninfo = asked.conninfo,
                                             .slot_name = {},
                                             .publications = asked.publications,
                                             .messages = asked.messages,
                                             .slot = slot_lifetime::temporary},
          &mailbox] {
    auto named = options;
    named.slot_name = new_slot_name();
    mailbox.put(slot_named{named.slot_name});
    return std::make_unique<postgres::postgres_source>(std::move(named));
  };
}

/// The main thread: waits for what happens and says what there is to say.
class tail_run {
public:
  tail_run(const tail_request& asked, tail_mailbox& mailbox,
           const postgres::interrupt_flag& leaving)
    : asked_{asked}, mailbox_{mailbox}, leaving_{leaving} {}

  /// Returns when there is a reason to end.
  void watch() {
    while (!over_) {
      if (const auto note = mailbox_.take(slow_at_))
        handle(*note);
      else
        say_slow();
    }
  }

  /// Says what has come meanwhile, and waits for nothing.
  void finish() {
    while (const auto note = mailbox_.take(tail_mailbox::clock::now()))
      handle(*note);
  }

private:
  void handle(const tail_note& note) {
    std::visit([this](const auto& one) { on(one); }, note);
  }

  void on(const kept_event& news) {
    const auto what = news.told();
    say(notices_.on_event(what));
    over_ = over_ || what.kind == event_kind::halted;
    slow_at_ = what.kind == event_kind::connected ? tail_mailbox::clock::now() + patience_for_slot
                                                  : tail_mailbox::clock::time_point::max();
    if (what.kind == event_kind::streaming && !std::exchange(streamed_, true))
      look_for_tables();
  }

  void on(const slot_named& news) { notices_.on_slot(news.name); }

  void on(const stop_asked& /*news*/) { over_ = true; }

  void on(const view_over& /*news*/) { over_ = true; }

  void say_slow() {
    slow_at_ = tail_mailbox::clock::time_point::max();
    say(tail_notices::on_slow_start());
  }

  /// What is not published shows nothing for ever. Without an answer nothing is said.
  void look_for_tables() {
    postgres::table_catalog catalog{asked_.conninfo, leaving_};
    const auto published = catalog.published(asked_.publications);
    if (!published)
      return;
    if (published->empty())
      return say(tail_notices::on_nothing_published());
    const auto unpublished = std::ranges::count_if(asked_.tables, [&](const std::string& name) {
      return std::ranges::none_of(*published, [&](const postgres::table_name& one) {
        return table_choice::names_table(name, one.schema, one.name);
      });
    });
    say(tail_notices::on_unpublished(static_cast<std::size_t>(unpublished), asked_.tables.size()));
  }

  static void say(const std::string& words) { std::cerr << words << std::flush; }

  const tail_request& asked_;
  tail_mailbox& mailbox_;
  const postgres::interrupt_flag& leaving_;
  tail_notices notices_{is_terminal(STDERR_FILENO)};
  tail_mailbox::clock::time_point slow_at_ = tail_mailbox::clock::time_point::max();
  bool streamed_ = false;
  bool over_ = false;
};

/// Whether the command line and the program's surroundings are fit.
std::optional<exit_code> refuse(const tail_request& asked) {
  if (!postgres::conninfo::parse(asked.conninfo)) {
    std::cerr << "replicant: this is no connection string of PostgreSQL (it is not repeated here, "
                 "for it may hold a password); write for example \"host=db1 dbname=shop\" or "
                 "postgresql://db1/shop\n";
    return exit_code::wrong_input;
  }

  return has_standard_output() ? std::nullopt : std::optional{exit_code::unavailable};
}

} // namespace

exit_code tail(const tail_request& asked) {
  if (const auto refused = refuse(asked))
    return *refused;
  const temporary_folder room;
  tail_mailbox mailbox;
  postgres::interrupt_flag leaving;
  const stop_signals signals{[&] {
                               leaving.raise();
                               mailbox.put(stop_asked{});
                             },
                             stop_signals::patience_by_default, [&] { room.remove(); }};
  const auto end = [&] {
    leaving.raise();
    mailbox.put(view_over{});
  };
  // A reader that goes away while nothing is written would not be noticed otherwise.
  postgres::readiness reader;
  reader.arm({{{STDOUT_FILENO, 0}, {}}}, end);

  system_config config{runtime_settings{}};
  caf::actor_system system{config};
  const auto view = make_view(asked, leaving, end);
  const auto pipeline = start(system, settings_of(asked, room),
                              {.make_source = source_of(asked, mailbox),
                               .make_sink = [view]() -> result<std::unique_ptr<sink>> {
                                 return std::make_unique<tail_sink>(view);
                               }},
                              std::make_shared<mailing_observer>(mailbox));
  tail_run run{asked, mailbox, leaving};
  run.watch();
  leaving.raise();
  const auto last = stop(system, pipeline, patience_at_stop);
  run.finish();
  if (last.phase == pipeline_phase::halted)
    return exit_code::needs_person;
  // A part that still hangs, in a system call on standard output for example, would keep the actor
  // system from ending.
  if (last.phase != pipeline_phase::stopped) {
    room.remove();
    ::_exit(static_cast<int>(exit_code::fine));
  }
  return exit_code::fine;
}

} // namespace replicant::cli
