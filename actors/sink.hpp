// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/interfaces.hpp"
#include "replicant/core/delivery/sink.hpp"
#include "replicant/core/model/moment.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <cstdint>
#include <memory>

namespace replicant {

/// What the SINK actor owns. Destroyed before its monitors hear of the exit, so the next
/// generation's sink never meets the old one.
struct sink_state {
  static constexpr const char* name = "replicant.sink";

  explicit sink_state(sink_actor::pointer owner) : self{owner} {}

  void start(const sink_factory& make_sink);
  caf::result<session_opened> on(const open_session& request);
  caf::result<stream_begun> on(const begin_stream& request);
  void on(const deliver& request, const delivery_listener& from);
  void on(const drain& request, const delivery_listener& from);
  void on(const tick& request);

  sink_actor::pointer self;
  generation_listener pipeline;
  std::uint64_t generation = 0;

private:
  result<void> hand_over(const delivery& content);
  result<void> hand_over(const delivery_item& item);
  void settle();
  caf::error give_up(const fault& what);

  std::unique_ptr<sink> target_;
  // The capabilities of `target_`, null where it has none.
  session_sink* session_ = nullptr;
  deferred_sink* deferred_ = nullptr;
  frontier_sink* frontier_ = nullptr;
  message_sink* messages_ = nullptr;

  delivery_recorded waiting_; ///< Handled and not yet known to be durable.
  delivery_listener listener_;
  std::uint64_t timer_epoch_ = 0;
  bool timer_runs_ = false;
  moment settle_at_{}; ///< While the timer runs.
};

/// @param make_sink is called once, in this actor's thread.
sink_actor::behavior_type run_sink(sink_actor::stateful_pointer<sink_state> self,
                                   generation_listener pipeline, std::uint64_t generation,
                                   sink_factory make_sink);

} // namespace replicant
