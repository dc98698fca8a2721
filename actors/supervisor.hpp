// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/assembler.hpp"
#include "replicant/actors/interfaces.hpp"
#include "replicant/config/settings.hpp"
#include "replicant/core/assembly/schema_memory.hpp"
#include "replicant/core/delivery/batch.hpp"
#include "replicant/core/delivery/checkpoint_store.hpp"
#include "replicant/core/delivery/restart_policy.hpp"
#include "replicant/core/delivery/sink.hpp"
#include "replicant/core/delivery/slot_watch.hpp"
#include "replicant/core/delivery/slow_sink.hpp"
#include "replicant/core/delivery/start_plan.hpp"
#include "replicant/core/protocol/replication_source.hpp"
#include "replicant/core/telemetry/observer.hpp"

#include <caf/response_promise.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace replicant {

/// What a pipeline is made of: rules, and how to make the two ends of a generation.
struct pipeline_setup {
  std::string name;
  std::string slot_name;
  std::uint64_t max_inflight_bytes = 0;
  std::uint32_t max_command_retries = 0;
  bool messages = false; ///< Messages outside of transactions are asked for.
  std::optional<batch_delivery> batches{};
  slow_sink_policy on_slow_sink = slow_sink_policy::pace;
  open_settings open{};
  std::vector<std::uint64_t> accepted_schema_changes{}; ///< Fingerprints.
  std::optional<checkpoint_keeping> checkpoints{}; ///< A store keeps the position for the sink.
  start_conditions conditions;
  source_factory make_source;
  sink_factory make_sink;
  std::shared_ptr<observer> watcher; ///< May be null.
};

/// What the PIPELINE actor owns: one generation of children at a time, what outlives them, and the
/// reason of a halt. One for all: the first child that ends takes the others with it, all are
/// awaited, and then either the whole set begins again from what the sink holds, or the pipeline is
/// halted.
struct supervisor_state {
  static constexpr const char* name = "replicant.pipeline";

  explicit supervisor_state(supervisor_actor::pointer owner) : self{owner} {}

  /// A pipeline that ends by a defect leaves no children behind.
  ~supervisor_state();

  supervisor_state(const supervisor_state&) = delete;
  supervisor_state& operator=(const supervisor_state&) = delete;
  supervisor_state(supervisor_state&&) = delete;
  supervisor_state& operator=(supervisor_state&&) = delete;

  void start(pipeline_setup setup);

  [[nodiscard]] status_told on(const tell_status& /*request*/) const { return {status_}; }

  caf::result<status_told> on(const stop_pipeline& request);
  void on(const begin_generation& request);
  void on(const generation_failed& news);
  void on(const source_connected& news);
  void on(const slot_created& news);
  void on(const stream_started& news);
  void on(const stream_reported& news);
  void on(const slot_told& news);
  void on(const server_left& news);
  void on(const tail_cut& news);
  void on(const delivery_recorded& news);
  void on(const delivery_failed& news) const;
  void on(const schema_changed& news);
  void on(const store_reported& news);
  void on_down(const caf::down_msg& news);

  supervisor_actor::pointer self;

private:
  void interrupt_source() const;
  void make_children();
  void take_down();
  void show_failure();
  void conclude();
  void finish(pipeline_phase phase);
  void enter(pipeline_phase phase);
  void warn_of(const tables_without_identity& tables);
  void tell_of(const assembly_news& made);
  void tell_durable(const delivery_recorded& news) const;
  void tell_disconnected();
  void tell(telemetry_event what) const;

  pipeline_setup setup_;
  std::optional<restart_policy> policy_;
  pipeline_status status_;
  std::uint64_t generation_ = 0;
  std::vector<caf::strong_actor_ptr> children_; ///< Of this generation and still alive.
  connection_actor connection_;
  /// To interrupt it. The connection alone keeps it: it is closed as soon as that one ends, though
  /// a blocked sink may keep the generation for long.
  std::weak_ptr<replication_source> source_;
  /// Stopped when a store that fails is not to be tried again. Of this generation.
  std::stop_source store_patience_;
  moment begin_at_{};            ///< When the next generation may begin.
  std::optional<fault> failure_; ///< What ended this generation.
  tables_without_identity warned_of_;
  slot_watch slot_watch_;
  schema_memory schemas_;  ///< Of what is durable: the next generation compares with it.
  run_memory remembered_;  ///< Of what is durable: the next generation judges its server by it.
  bool connected_ = false; ///< This generation was, and its connection has not ended.
  bool going_down_ = false;
  bool stopping_ = false;
  std::vector<caf::typed_response_promise<status_told>> stop_requests_;
};

supervisor_actor::behavior_type
run_supervisor(supervisor_actor::stateful_pointer<supervisor_state> self, pipeline_setup setup);

} // namespace replicant
