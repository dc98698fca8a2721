// SPDX-License-Identifier: MIT
#include "replicant/config/interpret.hpp"

#include "replicant/config/batch_keys.hpp"
#include "replicant/config/sink_section.hpp"
#include "replicant/config/spill_defaults.hpp"
#include "replicant/config/state_directory.hpp"
#include "replicant/config/store_section.hpp"
#include "replicant/config/streaming_section.hpp"
#include "replicant/config/value_readers.hpp"

#include <array>

namespace replicant {

namespace {

using enum presence;

// In the order of the enumerators.
constexpr std::array<std::string_view, 2> log_formats{"text", "json"};

constexpr std::array<std::string_view, 2> slow_sink_policies{"pace", "halt"};

constexpr std::int64_t max_threads = 256;
constexpr std::int64_t max_retries = 1000;

void metrics(runtime_settings& into, const node& value, std::string_view path, reading& log) {
  if (const auto* given = read_text(value, path, check_listen_address, log))
    into.metrics = parse_listen_address(*given);
}

using run = runtime_settings;
constexpr std::array runtime_keys{
  key<run>{"log_level", optional, text<&run::log_level, check_log_level>},
  key<run>{"log_format", optional, choice<&run::log_format, log_formats>},
  key<run>{"threads", optional, number<&run::threads, 1, max_threads>},
  key<run>{"state_dir", optional, text<&run::state_dir, check_folder_path>},
  key<run>{"control_socket", optional, text<&run::control_socket, check_socket_path>},
  key<run>{"metrics", optional, metrics},
};
constexpr section<run> runtime_section{"runtime", runtime_keys, "[runtime] with its keys below it"};

using flow = pipeline_settings;
constexpr std::array connection_keys{
  key<flow>{"conninfo", required, conninfo<&flow::conninfo>,
            R"(conninfo = "host=db1 dbname=shop user=cdc")"},
};
constexpr section<flow> connection_section{
  "pipeline.connection", connection_keys,
  R"([pipeline.connection] with conninfo = "host=db1 dbname=shop user=cdc" below it)"};

using origin = source_identity_settings;
constexpr std::array origin_keys{
  key<origin>{"system_identifier", optional,
              text<&origin::system_identifier, check_system_identifier>},
  key<origin>{"database", optional, text<&origin::database, check_given>},
};
constexpr section<origin> origin_section{
  "pipeline.source_identity", origin_keys,
  R"([pipeline.source_identity] with database = "shop" below it)"};

constexpr section<batch_delivery> batch_section{
  "pipeline.batch_delivery", batch_keys,
  "[pipeline.batch_delivery] with max_transactions = 100 below it"};

void delivery_in_batches(flow& into, const node& value, std::string_view /*path*/, reading& log) {
  read_table(into.batch_delivery.emplace(), value, batch_section, log);
}

void checkpoint_store(flow& into, const node& value, std::string_view /*path*/, reading& log) {
  into.checkpoint_store = read_store(value, log);
}

void streaming(flow& into, const node& value, std::string_view /*path*/, reading& log) {
  into.streaming = read_streaming(value, log);
}

void connection(flow& into, const node& value, std::string_view /*path*/, reading& log) {
  read_table(into, value, connection_section, log);
}

void sink(flow& into, const node& value, std::string_view path, reading& log) {
  into.sink = read_sink(value, path, log);
}

void failover(flow& into, const node& value, std::string_view path, reading& log) {
  if (const auto* given = std::get_if<bool>(&value.content))
    into.slot = *given ? slot_lifetime::failover : slot_lifetime::permanent;
  else
    log.refuse_type(value, path, "true or false, without quotes");
}

void source_identity(flow& into, const node& value, std::string_view /*path*/, reading& log) {
  read_table(into.source_identity, value, origin_section, log);
}

constexpr std::array pipeline_keys{
  key<flow>{"name", required, text<&flow::name, check_pipeline_name>, R"(name = "shop")"},
  key<flow>{"slot_name", required, text<&flow::slot_name, check_slot_name>,
            R"(slot_name = "shop_orders")"},
  key<flow>{"publication", required, texts<&flow::publications, check_publication>,
            R"(publication = "shop_pub")"},
  key<flow>{"go_forward_only", optional, flag<&flow::go_forward_only>},
  key<flow>{"messages", optional, flag<&flow::messages>},
  key<flow>{"binary", optional, flag<&flow::binary>},
  key<flow>{"failover", optional, failover},
  key<flow>{"max_inflight_lag", optional, size<&flow::max_inflight_lag>},
  key<flow>{"on_slow_sink", optional, choice<&flow::on_slow_sink, slow_sink_policies>},
  key<flow>{"max_command_retries", optional, number<&flow::max_command_retries, 0, max_retries>},
  key<flow>{"streaming", optional, streaming},
  key<flow>{"connection", required, connection, connection_section.form},
  key<flow>{"source_identity", optional, source_identity},
  key<flow>{"batch_delivery", optional, delivery_in_batches},
  key<flow>{"checkpoint_store", optional, checkpoint_store},
  key<flow>{"sink", required, sink, sink_form},
};
constexpr section<flow> pipeline_section{"pipeline", pipeline_keys,
                                         "[[pipeline]] with its keys below it"};

/// A pipeline of the file and where the values stand that may be in conflict with another's.
struct placed_pipeline {
  location name;
  location slot;
  location target;
  location store;
};

/// The file as a whole.
struct file_draft {
  settings result;
  std::vector<placed_pipeline> places;
};

void runtime(file_draft& into, const node& value, std::string_view /*path*/, reading& log) {
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
    auto& pipeline = into.result.pipelines.emplace_back();
    read_table(pipeline, one, pipeline_section, log);
    judge_store(pipeline, log);
    judge_streaming(pipeline, log);
    const auto place = [&](std::string_view key) { return log.place_of(key).value_or(one.at); };
    into.places.push_back({.name = place("pipeline.name"),
                           .slot = place("pipeline.slot_name"),
                           .target = place("pipeline.sink.path"),
                           .store = place("pipeline.checkpoint_store")});
  }
}

constexpr std::array file_keys{
  key<file_draft>{"runtime", optional, runtime},
  key<file_draft>{"pipeline", required, pipelines, pipeline_section.form},
};
constexpr section<file_draft> file_section{"", file_keys};

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
                   "is the target of an earlier pipeline too, or one of the two is a file that "
                   "the other keeps beside its own; choose another one");
        break;
      case conflict::kind::store:
        log.refuse(place.store, "pipeline.checkpoint_store",
                   "has the table of an earlier pipeline with the same slot_name, and a slot has "
                   "one row there; choose another table or another slot_name");
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
                          const conninfo_check& judge) {
  reading log{lookup, judge};
  file_draft draft;
  read_section(draft, file, location{1, 1}, file_section, log);
  resolve_paths(draft.result.runtime, log);
  for (auto& pipeline : draft.result.pipelines)
    complete_spill(pipeline, draft.result.runtime.state_dir);
  refuse_conflicts(draft, log);
  if (auto problems = log.problems(); !problems.empty())
    return tl::unexpected<diagnostics>{std::move(problems)};
  return std::move(draft.result);
}

std::vector<std::string> known_keys() {
  std::vector<std::string> names;
  append_names(names, file_section);
  append_names(names, runtime_section);
  append_names(names, pipeline_section);
  append_names(names, connection_section);
  append_names(names, origin_section);
  append_names(names, batch_section);
  for (const auto& more : {known_streaming_keys(), known_store_keys(), known_sink_keys()})
    names.insert(names.end(), more.begin(), more.end());
  return names;
}

} // namespace replicant
