// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/accepted_changes.hpp"
#include "replicant/actors/cli/commands.hpp"
#include "replicant/actors/cli/configuration.hpp"
#include "replicant/actors/cli/control_socket.hpp"
#include "replicant/actors/cli/halt_record.hpp"
#include "replicant/actors/cli/live_progress.hpp"
#include "replicant/actors/cli/process.hpp"
#include "replicant/actors/cli/run_events.hpp"
#include "replicant/actors/cli/run_metrics.hpp"
#include "replicant/actors/cli/running_pipelines.hpp"
#include "replicant/actors/cli/service_manager.hpp"
#include "replicant/actors/cli/signals.hpp"
#include "replicant/actors/cli/status_document.hpp"
#include "replicant/actors/cli/status_summary.hpp"
#include "replicant/actors/cli/system_config.hpp"

#include <caf/actor_system.hpp>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <system_error>

namespace replicant::cli {

namespace {

using namespace std::chrono_literals;

constexpr auto progress_interval = 10s;
/// The rest of what a stop may take is for telling how it went.
constexpr auto patience_at_stop = stop_signals::patience_by_default - 1s;

bool is_halted(const pipeline_status& one) {
  return one.phase == pipeline_phase::halted;
}

bool has_ended(const pipeline_status& one) {
  return one.phase == pipeline_phase::stopped || is_halted(one);
}

bool make_state_folder(const std::string& folder) {
  std::error_code error;
  const auto made = std::filesystem::create_directories(folder, error);
  if (made)
    std::filesystem::permissions(folder, std::filesystem::perms::owner_all, error);
  if (!error && ::access(folder.c_str(), W_OK | X_OK) != 0)
    error = {errno, std::system_category()};
  if (error)
    std::cerr << "replicant: the state folder " << folder << " cannot be used: " << error.message()
              << "; let this user write there, or name another in runtime.state_dir\n";
  return !error;
}

void tell_refusal(const std::string& path, const socket_refusal& why) {
  std::cerr << "replicant: the control socket " << path;
  switch (why.what) {
    case socket_refusal::kind::in_use:
      std::cerr << " is in use: another replicant runs this configuration, or another one with the "
                   "same state_dir: stop that one first, or give this one its own\n";
      break;
    case socket_refusal::kind::not_a_socket:
      std::cerr << " cannot be made: something else has this name; move that away, or name "
                   "another path in runtime.control_socket\n";
      break;
    case socket_refusal::kind::failed:
      std::cerr << " cannot be made: " << std::system_category().message(why.error_number)
                << "; let this user write to its folder, or name another path in "
                   "runtime.control_socket\n";
      break;
  }
}

/// By the name of the pipeline.
using schema_halts = std::map<std::string, pipeline_status>;

/// What a run is made of while it is watched.
struct run_parts {
  running_pipelines& pipelines;
  run_events& events;
  const halt_record& record;
  log_observer& log;
  std::optional<live_progress> live{}; ///< Shows progress instead of the log.
  std::set<std::string> recorded{};    ///< Pipelines whose halt has been dealt with.
};

/// Keeps the halts that are new; the log tells of those that cannot be kept.
void record_halts(const std::vector<pipeline_status>& all, run_parts& run) {
  for (const auto& one : all)
    if (is_halted(one) && run.recorded.insert(one.name).second && !run.record.keep(one))
      run.log.on_program(program_event::state_not_written, one.name);
}

void report_progress(const run_parts& run, std::chrono::duration<double> elapsed) {
  tell_status(status_summary(run.pipelines.statuses()));
  if (!run.live)
    run.pipelines.report_progress(run.log, elapsed);
}

/// Watches until somebody asks to stop or nothing runs any more.
void watch(run_parts& run) {
  for (auto last = run_events::clock::now();;) {
    const auto happened = run.events.wait(last + progress_interval);
    if (happened.halted) {
      const auto all = run.pipelines.statuses();
      tell_status(status_summary(all));
      record_halts(all, run);
      if (std::ranges::all_of(all, is_halted))
        return;
    }
    if (happened.stop)
      return run.log.on_program(program_event::stop_requested, {});
    if (const auto now = run_events::clock::now(); now >= last + progress_interval) {
      report_progress(run, now - last);
      last = now;
    }
  }
}

/// Leaves without waiting for parts that hang: a sink may be inside a system call that never
/// returns, and then no destructor would end either.
[[noreturn]] void abandon(const std::vector<pipeline_status>& last) {
  for (const auto& one : last)
    if (!has_ended(one))
      std::cerr << "replicant: " << one.name
                << " did not finish in time; what was not acknowledged will be sent again\n";
  ::_exit(static_cast<int>(exit_code::interrupted));
}

/// Starts a pipeline, unless it has halted at a change of a table that nobody has accepted yet: a
/// start must not be how that is done.
void start_one(const pipeline_settings& pipeline, const schema_halts& halts, run_parts& run,
               const std::shared_ptr<observer>& watcher) {
  const auto found = halts.find(pipeline.name);
  const auto cause = found == halts.end()
                       ? std::nullopt
                       : find_fact(*found->second.last_fault, fact_kind::fingerprint);
  if (cause && std::ranges::count(pipeline.accepted_schema_changes, *cause) == 0) {
    const auto& halted = found->second;
    run.recorded.insert(pipeline.name);
    run.pipelines.leave_halted(halted);
    watcher->on_event(
      {.kind = event_kind::halted, .pipeline = pipeline.name, .failure = *halted.last_fault});
    return;
  }
  run.record.forget(pipeline.name);
  run.pipelines.start(pipeline, watcher);
}

/// What people have accepted of the pipelines' tables.
bool read_accepted(settings& loaded) {
  const accepted_changes kept{loaded.runtime.state_dir};
  for (auto& one : loaded.pipelines) {
    auto accepted = kept.read(one.name);
    if (!accepted) {
      std::cerr << "replicant: " << kept.file_of(one.name)
                << " cannot be read: " << std::system_category().message(accepted.error())
                << "; it holds the accepted changes of tables: restore it, or remove it and accept "
                   "them again\n";
      return false;
    }
    one.accepted_schema_changes = std::move(*accepted);
  }
  return true;
}

/// The halts at changes of tables that are kept. Nothing, and people are told, when that is not
/// known of one: it might be started across a change that nobody has accepted.
std::optional<schema_halts> read_halts(const settings& loaded, const halt_record& record) {
  schema_halts found;
  for (const auto& one : loaded.pipelines) {
    const auto halted = record.schema_halt(one.name);
    if (!halted) {
      std::cerr << unreadable_record(record.file_of(one.name), halted.error());
      return std::nullopt;
    }
    if (*halted)
      found.emplace(one.name, **halted);
  }
  return found;
}

exit_code finish(run_parts& run) {
  tell_stopping();
  const auto last = run.pipelines.stop(patience_at_stop);
  tell_status(status_summary(last));
  record_halts(last, run);
  run.live.reset(); // Nothing else may write to the terminal before.
  auto& words = run.pipelines.owner_of_standard_output() ? std::cerr : std::cout;
  words << run.pipelines.closing_words() << std::flush;
  if (!std::ranges::all_of(last, has_ended))
    abandon(last);
  return std::ranges::any_of(last, is_halted) ? exit_code::needs_person : exit_code::fine;
}

} // namespace

exit_code run(const run_request& asked) {
  auto loaded = read_configuration(asked.file, purpose::connecting);
  if (!loaded || !narrow(*loaded, asked.pipeline))
    return exit_code::wrong_input;
  const auto& runtime = loaded->runtime;
  run_events events;
  const stop_signals signals{[&events] { events.tell_stop(); }};
  const auto needs_output = std::ranges::any_of(loaded->pipelines, writes_to_standard_output);
  if ((needs_output && !has_standard_output()) || !make_state_folder(runtime.state_dir) ||
      !read_accepted(*loaded))
    return exit_code::unavailable;

  const auto lookup = process_environment();
  std::optional<live_lines> lines;
  if (asked.live_progress && can_show_progress(*loaded, lookup))
    lines.emplace(STDERR_FILENO);
  log_observer log{runtime, lines ? [&lines](auto text) { lines->write(text); } : log_target{}};
  metrics_observer metrics;
  system_config config{runtime};
  caf::actor_system system{config};
  running_pipelines pipelines{system};
  // Before any pipeline starts, because it also keeps a second program away from their slots.
  const auto control = control_socket::open(
    runtime.control_socket, [&pipelines] { return status_document(pipelines.statuses()); });
  if (!control) {
    tell_refusal(runtime.control_socket, control.error());
    return exit_code::unavailable;
  }
  const halt_record record{runtime.state_dir};
  const auto halts = read_halts(*loaded, record);
  if (!halts)
    return exit_code::unavailable;
  const auto endpoint = open_endpoint(*loaded, pipelines, metrics);
  if (!endpoint)
    return exit_code::unavailable;
  const auto watcher = make_run_observer(log, metrics, events);
  log.on_program(program_event::started, {});
  run_parts parts{.pipelines = pipelines, .events = events, .record = record, .log = log};
  for (const auto& one : loaded->pipelines)
    start_one(one, *halts, parts, watcher);
  if (const auto owner = pipelines.owner_of_standard_output())
    log.on_program(program_event::at_least_once, *owner);
  const auto statuses = [&pipelines] { return pipelines.statuses(); };
  if (lines)
    parts.live.emplace(*lines, statuses, lookup);
  tell_ready(status_summary(statuses()));
  watch(parts);
  return finish(parts);
}

} // namespace replicant::cli
