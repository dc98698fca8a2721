// SPDX-License-Identifier: MIT
#include "replicant/config/interpret.hpp"

#include "replicant/config/conninfo.hpp"
#include "replicant/config/state_directory.hpp"
#include "replicant/config/value_readers.hpp"

#include <array>

namespace replicant {

namespace {

using enum presence;

// --- values with a rule of their own -----------------------------------------------------------

/// Checked by whoever had to read it first.
template <class Target>
void settled(Target&, const node&, std::string_view, reading&) {}

void conninfo(pipeline_settings& into, const node& value, std::string_view path, reading& log) {
  const auto* given = read_text(value, path, check_given, log);
  if (given == nullptr)
    return;
  auto expanded = expand_conninfo(*given, log.lookup());
  if (!expanded)
    log.refuse(value.at, path, expanded.error());
  else if (!log.accepts_conninfo(*expanded))
    log.refuse(value.at, path,
               "is refused by libpq; it holds a keyword that libpq does not know, a value that it "
               "cannot take, or a service that it cannot find; see \"Parameter Key Words\" in "
               "PostgreSQL's documentation");
  else
    into.conninfo = std::move(*expanded);
}

template <class Target>
void read_table(Target& into, const node& value, const section<Target>& what, reading& log) {
  if (const auto* table = std::get_if<node_table>(&value.content))
    read_section(into, *table, value.at, what, log);
  else
    log.refuse_type(value, what.path, "a table");
}

// --- the table of keys: the only place that knows what exists ------------------------------------

// In the order of the enumerators.
constexpr std::array<std::string_view, 2> log_formats{"text", "json"};
constexpr std::array<std::string_view, 2> fsync_policies{"every_commit", "interval"};
constexpr std::array<std::string_view, 2> numeric_styles{"string", "number"};

constexpr std::int64_t max_threads = 256;
constexpr std::int64_t max_retries = 1000;
constexpr std::int64_t max_fsync_interval = 60'000;

using run = runtime_settings;
constexpr std::array runtime_keys{
  key<run>{"log_level", optional, text<&run::log_level, check_log_level>},
  key<run>{"log_format", optional, choice<&run::log_format, log_formats>},
  key<run>{"threads", optional, number<&run::threads, 1, max_threads>},
  key<run>{"state_dir", optional, text<&run::state_dir, check_given>},
  key<run>{"control_socket", optional, text<&run::control_socket, check_socket_path>},
};
constexpr section<run> runtime_section{"runtime", runtime_keys};

using flow = pipeline_settings;
constexpr std::array connection_keys{
  key<flow>{"conninfo", required, conninfo},
};
constexpr section<flow> connection_section{"pipeline.connection", connection_keys};

using origin = source_identity_settings;
constexpr std::array origin_keys{
  key<origin>{"system_identifier", optional,
              text<&origin::system_identifier, check_system_identifier>},
  key<origin>{"database", optional, text<&origin::database, check_given>},
};
constexpr section<origin> origin_section{"pipeline.source_identity", origin_keys};

using rotation = rotation_settings;
constexpr std::array rotation_keys{
  key<rotation>{"bytes", optional, size<&rotation::bytes>},
  key<rotation>{"interval", optional, duration<&rotation::interval>},
};
constexpr section<rotation> rotation_section{"pipeline.sink.rotate", rotation_keys};

using lines = jsonl_settings;

void rotate(lines& into, const node& value, std::string_view path, reading& log) {
  read_table(into.rotate, value, rotation_section, log);
  if (const auto* table = std::get_if<node_table>(&value.content); table && table->empty())
    log.refuse(value.at, path,
               "is empty; say when a file is full, for example { bytes = \"1GiB\" } or { interval "
               "= \"1h\" }");
}

constexpr std::array jsonl_keys{
  key<lines>{"kind", required, settled},
  key<lines>{"path", required, text<&lines::path, check_file_path>},
  key<lines>{"fsync", optional, choice<&lines::fsync, fsync_policies>},
  key<lines>{"fsync_interval_ms", optional, number<&lines::fsync_interval, 1, max_fsync_interval>},
  key<lines>{"numeric", optional, choice<&lines::numeric, numeric_styles>},
  key<lines>{"rotate", optional, rotate},
};
constexpr section<lines> jsonl_section{"pipeline.sink", jsonl_keys};

constexpr std::array null_keys{
  key<null_settings>{"kind", required, settled},
};
constexpr section<null_settings> null_section{"pipeline.sink", null_keys};

// --- the sink: which keys it has depends on its kind ---------------------------------------------

constexpr std::array<std::string_view, 2> sink_kinds{"jsonl", "null"};

/// Standard output is written and forgotten.
void refuse_file_keys(reading& log) {
  for (const auto* const name :
       {"pipeline.sink.fsync", "pipeline.sink.fsync_interval_ms", "pipeline.sink.rotate"})
    if (const auto at = log.place_of(name))
      log.refuse(*at, name,
                 "has no meaning for standard output; remove it, or write a file's path instead of "
                 "\"-\"");
}

void jsonl_sink(flow& into, const node& value, reading& log) {
  jsonl_settings sink;
  read_table(sink, value, jsonl_section, log);
  if (sink.to_standard_output()) {
    refuse_file_keys(log);
    into.sink = std::move(sink);
    return;
  }
  constexpr std::string_view interval = "pipeline.sink.fsync_interval_ms";
  if (const auto at = log.place_of(interval); at && sink.fsync != fsync_policy::interval)
    log.refuse(*at, interval,
               "has no meaning while every commit is synced; write fsync = \"interval\" or remove "
               "this key");
  into.sink = std::move(sink);
}

void sink(flow& into, const node& value, std::string_view path, reading& log) {
  const auto* table = std::get_if<node_table>(&value.content);
  if (table == nullptr)
    return log.refuse_type(value, path, "a table");
  const auto* kind = find(*table, "kind");
  if (kind == nullptr)
    return log.refuse(value.at, "pipeline.sink.kind",
                      R"(is missing; write kind = "jsonl" or kind = "null")");
  const auto chosen = read_choice(kind->value, "pipeline.sink.kind", sink_kinds, log);
  if (!chosen)
    return;
  if (sink_kinds[*chosen] == "jsonl")
    return jsonl_sink(into, value, log);
  null_settings nothing;
  read_table(nothing, value, null_section, log);
  into.sink = nothing;
}

// --- tables of tables ----------------------------------------------------------------------------

void connection(flow& into, const node& value, std::string_view, reading& log) {
  read_table(into, value, connection_section, log);
}

void source_identity(flow& into, const node& value, std::string_view, reading& log) {
  read_table(into.source_identity, value, origin_section, log);
}

constexpr std::array pipeline_keys{
  key<flow>{"name", required, text<&flow::name, check_pipeline_name>},
  key<flow>{"slot_name", required, text<&flow::slot_name, check_slot_name>},
  key<flow>{"publication", required, texts<&flow::publications, check_publication>},
  key<flow>{"go_forward_only", optional, flag<&flow::go_forward_only>},
  key<flow>{"messages", optional, flag<&flow::messages>},
  key<flow>{"binary", optional, flag<&flow::binary>},
  key<flow>{"max_inflight_lag", optional, size<&flow::max_inflight_lag>},
  key<flow>{"max_command_retries", optional, number<&flow::max_command_retries, 0, max_retries>},
  key<flow>{"connection", required, connection},
  key<flow>{"source_identity", optional, source_identity},
  key<flow>{"sink", required, sink},
};
constexpr section<flow> pipeline_section{"pipeline", pipeline_keys};

/// A pipeline of the file and where the values stand that may be in conflict with another's.
struct placed_pipeline {
  location name;
  location slot;
  location target;
};

/// The file as a whole.
struct file_draft {
  settings result;
  std::vector<placed_pipeline> places;
};

void runtime(file_draft& into, const node& value, std::string_view, reading& log) {
  read_table(into.result.runtime, value, runtime_section, log);
}

void pipelines(file_draft& into, const node& value, std::string_view path, reading& log) {
  const auto* list = std::get_if<node_list>(&value.content);
  if (list == nullptr)
    return log.refuse_type(value, path, "[[pipeline]], in double brackets");
  if (list->empty())
    return log.refuse(value.at, path, "is an empty list; write at least one [[pipeline]]");
  for (const auto& one : *list) {
    log.forget_places_below("pipeline.");
    read_table(into.result.pipelines.emplace_back(), one, pipeline_section, log);
    const auto place = [&](std::string_view key) { return log.place_of(key).value_or(one.at); };
    into.places.push_back({.name = place("pipeline.name"),
                           .slot = place("pipeline.slot_name"),
                           .target = place("pipeline.sink.path")});
  }
}

constexpr std::array file_keys{
  key<file_draft>{"runtime", optional, runtime},
  key<file_draft>{"pipeline", required, pipelines},
};
constexpr section<file_draft> file_section{"", file_keys};

// --- what concerns the whole ---------------------------------------------------------------------

void refuse_conflicts(const file_draft& file, reading& log) {
  for (const auto& one : find_conflicts(file.result.pipelines)) {
    const auto& place = file.places[one.second];
    switch (one.what) {
      case conflict::kind::name:
        log.refuse(place.name, "pipeline.name",
                   "is the name of an earlier pipeline too; choose another one");
        break;
      case conflict::kind::slot:
        log.refuse(place.slot, "pipeline.slot_name",
                   "is the slot of an earlier pipeline on the same server, and a slot feeds only "
                   "one; choose another one");
        break;
      case conflict::kind::target:
        log.refuse(place.target, "pipeline.sink.path",
                   "is the target of an earlier pipeline too, and it takes only one; choose "
                   "another one");
        break;
    }
  }
}

/// Fills in where state and the control socket live.
void resolve_paths(runtime_settings& runtime, reading& log) {
  constexpr std::string_view directory = "runtime.state_dir";
  const auto directory_at = log.place_of(directory);
  const auto at = directory_at.value_or(log.place_of("runtime").value_or(location{1, 1}));
  if (!directory_at) {
    const auto found = default_state_directory(log.lookup());
    if (!found)
      return log.refuse(at, directory,
                        "is missing, and none of STATE_DIRECTORY, XDG_STATE_HOME and HOME is set "
                        "to an absolute path; write for example \"/var/lib/replicant\"");
    runtime.state_dir = *found;
  }
  if (log.place_of("runtime.control_socket") || runtime.state_dir.empty())
    return;
  runtime.control_socket = runtime.state_dir + "/control.sock";
  if (const auto wrong = check_socket_path(runtime.control_socket))
    log.refuse(at, "runtime.control_socket, which is control.sock in the state folder,", *wrong);
}

} // namespace

loaded_settings interpret(const node_table& file, const environment& lookup,
                          const conninfo_check& accepts) {
  reading log{lookup, accepts};
  file_draft draft;
  read_section(draft, file, location{1, 1}, file_section, log);
  resolve_paths(draft.result.runtime, log);
  refuse_conflicts(draft, log);
  if (auto problems = log.problems(); !problems.empty())
    return tl::unexpected<diagnostics>{std::move(problems)};
  return std::move(draft.result);
}

std::vector<std::string> known_keys() {
  std::vector<std::string> names;
  const auto add = [&](const auto& section) {
    for (const auto& one : section.keys)
      names.push_back(full_name(section.path, one.name));
  };
  add(file_section);
  add(runtime_section);
  add(pipeline_section);
  add(connection_section);
  add(origin_section);
  add(jsonl_section);
  add(rotation_section);
  add(null_section);
  return names;
}

} // namespace replicant
