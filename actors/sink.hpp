// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/interfaces.hpp"
#include "replicant/core/delivery/sink.hpp"
#include "replicant/core/model/moment.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <chrono>
#include <cstdint>
#include <memory>

namespace replicant {

/// What a SINK is given by its pipeline.
struct sink_setup {
  generation_listener pipeline;
  sink_factory make_sink;         ///< Called once, in the actor's thread.
  bool messages = false;          ///< The sink has to take messages outside of transactions.
  std::uint64_t settle_bytes = 0; ///< What may wait for a deferred sink's interval at most.
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
  void on(const tick& request);

  sink_actor::pointer self;
  sink_setup setup;

private:
  result<void> hand_over(const delivery& content);
  result<void> hand_over(const delivery_item& item);
  result<void> hand_over(const std::shared_ptr<const schema_change>& what);
  void ask_interval();
  void settle_later();
  bool settle();
  caf::error give_up(const fault& what) const;

  std::unique_ptr<sink> target_;
  // The capabilities of `target_`, null where it has none.
  session_sink* session_ = nullptr;
  deferred_sink* deferred_ = nullptr;
  frontier_sink* frontier_ = nullptr;
  message_sink* messages_ = nullptr;
  schema_change_sink* schemas_ = nullptr;

  std::uint64_t torn_bytes_ = 0;          ///< What the start of the stream cuts off.
  std::chrono::milliseconds interval_{0}; ///< Of `deferred_`.
  delivery_recorded waiting_;             ///< Handled and not yet known to be durable.
  delivery_listener listener_;
  std::uint64_t timer_epoch_ = 0;
  bool timer_runs_ = false;
  moment settle_at_{}; ///< While the timer runs.
};

sink_actor::behavior_type run_sink(sink_actor::stateful_pointer<sink_state> self, sink_setup setup);

} // namespace replicant
