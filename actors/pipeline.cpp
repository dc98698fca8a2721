// SPDX-License-Identifier: MIT
#include "replicant/actors/pipeline.hpp"

#include "replicant/actors/files/spill_directory.hpp"
#include "replicant/actors/postgres/checkpoint_table.hpp"
#include "replicant/actors/postgres/replication_source.hpp"
#include "replicant/actors/supervisor.hpp"
#include "replicant/config/load.hpp"
#include "replicant/config/spill_defaults.hpp"
#include "replicant/config/state_directory.hpp"

#include <caf/actor_system.hpp>
#include <caf/scoped_actor.hpp>

#include <utility>

namespace replicant {

namespace {

checkpoint_store_factory tables_of(const checkpoint_store_settings& store,
                                   const std::string& slot_name) {
  return [store, slot_name] {
    return std::make_unique<postgres::checkpoint_table>(store.conninfo, store.table, slot_name);
  };
}

/// A host's own store is used as the settings say, or as they would by themselves.
std::optional<checkpoint_keeping> keeping_of(const pipeline_settings& settings,
                                             checkpoint_store_factory make_store) {
  if (!settings.checkpoint_store && !make_store)
    return std::nullopt;
  const auto how = settings.checkpoint_store.value_or(checkpoint_store_settings{});
  return checkpoint_keeping{make_store ? std::move(make_store) : tables_of(how, settings.slot_name),
                            how.retry, how.batch};
}

/// How open transactions are taken. Where it is spilled is looked at when there is a stream.
open_settings open_settings_of(const streaming_settings& settings) {
  open_settings open{.streaming = settings.enabled,
                     .max_concurrent_txns = settings.max_concurrent_txns};
  if (const auto& spill = settings.spill)
    open.make_spill_area = [spill = *spill](const session_identity& source) {
      return std::make_shared<spill_directory>(spill.dir, spill.max_spill_bytes, source);
    };
  return open;
}

pipeline_setup setup_of(pipeline_settings settings, pipeline_parts parts,
                        std::shared_ptr<observer> watcher) {
  // A host leaves open what the loader of a file fills in.
  complete_spill(settings, default_state_directory(process_environment()));
  return {.name = settings.name,
          .slot_name = settings.slot_name,
          .max_inflight_bytes = settings.max_inflight_lag,
          .max_command_retries = settings.max_command_retries,
          .messages = settings.messages,
          .batches = settings.batch_delivery,
          .on_slow_sink = settings.on_slow_sink,
          .open = open_settings_of(settings.streaming),
          .accepted_schema_changes = settings.accepted_schema_changes,
          .checkpoints = keeping_of(settings, std::move(parts.make_store)),
          .conditions = {.go_forward_only = settings.go_forward_only,
                         .system_identifier = settings.source_identity.system_identifier,
                         .database = settings.source_identity.database,
                         .slot = settings.slot},
          .make_source = std::move(parts.make_source),
          .make_sink = std::move(parts.make_sink),
          .watcher = std::move(watcher)};
}

} // namespace

pipeline_actor start(caf::actor_system& system, const pipeline_settings& settings,
                     pipeline_parts parts, std::shared_ptr<observer> watcher) {
  return system.spawn(run_supervisor, setup_of(settings, std::move(parts), std::move(watcher)));
}

pipeline_actor start(caf::actor_system& system, const pipeline_settings& settings,
                     sink_factory make_sink, std::shared_ptr<observer> watcher) {
  auto make_source = [options = postgres::source_options{.conninfo = settings.conninfo,
                                                         .slot_name = settings.slot_name,
                                                         .publications = settings.publications,
                                                         .messages = settings.messages,
                                                         .binary = settings.binary,
                                                         .slot = settings.slot}] {
    return std::make_unique<postgres::postgres_source>(options);
  };
  return start(system, settings,
               {.make_source = std::move(make_source), .make_sink = std::move(make_sink)},
               std::move(watcher));
}

pipeline_status status(caf::actor_system& system, const pipeline_actor& pipeline) {
  // It never blocks, so one that does not answer is no more, by a defect of ours.
  pipeline_status answer{.phase = pipeline_phase::halted,
                         .last_fault = fault{.why = reason::crashed}};
  caf::scoped_actor self{system};
  self->request(pipeline, caf::infinite, tell_status{})
    .receive([&](const status_told& told) { answer = told.status; }, [](caf::error&) {});
  return answer;
}

std::vector<pipeline_status> stop(caf::actor_system& system,
                                  std::span<const pipeline_actor> pipelines,
                                  std::chrono::milliseconds patience) {
  caf::scoped_actor self{system};
  // All are asked before the first is waited for: a slow one uses up nobody else's patience.
  const auto ask_to_stop = [&](const pipeline_actor& one) {
    return self->request(one, caf::duration{patience}, stop_pipeline{});
  };
  std::vector<decltype(ask_to_stop(pipeline_actor{}))> requests;
  for (const auto& one : pipelines)
    requests.push_back(ask_to_stop(one));
  std::vector<pipeline_status> last(pipelines.size());
  for (std::size_t i = 0; i < pipelines.size(); ++i)
    requests[i].receive([&](const status_told& told) { last[i] = told.status; },
                        [&](caf::error&) { last[i] = status(system, pipelines[i]); });
  return last;
}

pipeline_status stop(caf::actor_system& system, const pipeline_actor& pipeline,
                     std::chrono::milliseconds patience) {
  return stop(system, std::span{&pipeline, 1}, patience).front();
}

} // namespace replicant
