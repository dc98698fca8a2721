// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/checkpoint_keeper.hpp"
#include "replicant/actors/interfaces.hpp"
#include "replicant/core/assembly/schema_memory.hpp"
#include "replicant/core/delivery/batch.hpp"
#include "replicant/core/delivery/sink.hpp"
#include "replicant/core/model/moment.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace replicant {

/// What a SINK is given by its pipeline.
struct sink_setup {
  generation_listener pipeline;
  sink_factory make_sink; ///< Called once, in the actor's thread.
  bool messages = false;  ///< The sink has to take messages outside of transactions.
  std::optional<batch_delivery> batches{}; ///< It has to take transactions in batches.
  std::uint64_t max_inflight_bytes = 0;    ///< The credit, by which is bounded what may wait.
  schema_memory known{};                   ///< What earlier generations have delivered.
  std::vector<std::uint64_t> accepted_schema_changes{}; ///< Fingerprints.
  std::optional<checkpoint_keeping> checkpoints{};      ///< A store keeps the position.
  std::stop_token stop{}; ///< Stopped when the pipeline does not wait for a store any more.
};

/// What the SINK actor owns. Destroyed before its monitors hear of the exit, so the next
/// generation's sink never meets the old one.
struct sink_state {
  static constexpr const char* name = "replicant.sink";

  explicit sink_state(sink_actor::pointer owner) : self{owner} {}

  void start();
  caf::result<session_opened> on(const open_session& request);
  caf::result<stream_begun> on(const begin_stream& request);
  void on(const deliver& request, const delivery_listener& from);
  void on(const drain& request, const delivery_listener& from);
  void on(const settle& request);
  void on(const tick& request);

  sink_actor::pointer self;
  sink_setup setup;

private:
  void look_at_capabilities();
  bool open_store();
  result<batch_limits> choose_limits();
  result<void> recall(std::span<const state_entry> state);
  result<void> take(const std::shared_ptr<const delivery>& content);
  result<void> take(const delivery_item& item, moment now);
  result<void> take(const transaction& txn, moment now);
  result<void> take(const logical_message& message, moment now);
  result<void> take(const std::shared_ptr<const schema_change>& what, moment now);
  result<void> take(const std::shared_ptr<const relation>& shape, moment now);
  result<void> take(watermark frontier);
  void remember_arriving();
  template <class Call>
  result<void> hand_over(Call call);
  void record_part();
  void come_back_later();
  result<void> settle_now();
  result<void> hand_over_batch();
  bool settled();
  [[nodiscard]] std::chrono::microseconds since_handed_over() const;
  void give_up_delivery(const fault& what) const;
  caf::error give_up(const fault& what) const;

  std::unique_ptr<sink> target_;
  // The capabilities of `target_`, null where it has none.
  session_sink* session_ = nullptr;
  deferred_sink* deferred_ = nullptr;
  frontier_sink* frontier_ = nullptr;
  message_sink* messages_ = nullptr;
  schema_change_sink* schemas_ = nullptr;
  batch_sink* batches_ = nullptr; ///< Also null where no batches are asked for.
  state_sink* states_ = nullptr;

  std::optional<checkpoint_keeper> store_; ///< Where the target does not keep the position.
  schema_memory known_;                    ///< Of what was taken.
  std::vector<state_entry> changed_;       ///< What is to be remembered with what comes next.
  std::uint64_t torn_bytes_ = 0;           ///< What the start of the stream cuts off.
  batch batch_;                            ///< Taken and not yet durable.
  delivery_recorded counted_;              ///< What was taken since the last that was recorded.
  std::vector<std::shared_ptr<const relation>> arriving_; ///< Shapes of the transaction to come.
  std::optional<moment>
    handed_over_at_; ///< The first of the batch, which is handed over as a whole.
  delivery_listener listener_;
  std::uint64_t timer_epoch_ = 0;
  bool timer_runs_ = false;
};

sink_actor::behavior_type run_sink(sink_actor::stateful_pointer<sink_state> self, sink_setup setup);

} // namespace replicant
