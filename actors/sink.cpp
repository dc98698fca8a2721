// SPDX-License-Identifier: MIT
#include "replicant/actors/sink.hpp"

#include "replicant/actors/boundary.hpp"

#include <utility>

namespace replicant {

static_assert(!std::is_aggregate_v<sink_state>); // C++20 would fill the first member with `self`

void sink_state::start(const sink_factory& make_sink) {
  auto made = guarded(make_sink);
  if (!made || !*made) {
    give_up(made ? fault{.why = reason::sink_failed} : made.error());
    return;
  }
  target_ = std::move(*made);
  session_ = dynamic_cast<session_sink*>(target_.get());
  deferred_ = dynamic_cast<deferred_sink*>(target_.get());
  frontier_ = dynamic_cast<frontier_sink*>(target_.get());
  messages_ = dynamic_cast<message_sink*>(target_.get());
}

caf::result<session_opened> sink_state::on(const open_session& request) {
  if (session_ != nullptr)
    if (auto known = guarded([&] { return session_->handle_session_identity(request.identity); });
        !known)
      return give_up(known.error());
  const auto held = guarded([&] { return target_->checkpoint(); });
  if (!held)
    return give_up(held.error());
  return session_opened{*held, frontier_ != nullptr};
}

caf::result<stream_begun> sink_state::on(const begin_stream& request) {
  if (session_ != nullptr)
    if (auto ready =
          guarded([&] { return session_->handle_stream_start(request.how, request.identity); });
        !ready)
      return give_up(ready.error());
  return stream_begun{};
}

void sink_state::on(const deliver& request, const delivery_listener& from) {
  const auto& content = *request.content;
  if (auto taken = hand_over(content); !taken) {
    give_up(taken.error());
    return;
  }
  listener_ = from;
  waiting_.reached.advance(content.reached);
  waiting_.bytes += content.charged_bytes;
  if (deferred_ == nullptr || deferred_->durability_interval().count() == 0) {
    settle();
  } else if (!timer_runs_) {
    timer_runs_ = true;
    settle_at_ = std::chrono::steady_clock::now() + deferred_->durability_interval();
    nap(self, settle_at_, tick{timer_epoch_});
  }
}

result<void> sink_state::hand_over(const delivery& content) {
  for (const auto& item : content.items)
    if (auto taken = hand_over(item); !taken)
      return taken;
  if (content.frontier && frontier_ != nullptr)
    return guarded([&] { return frontier_->handle_frontier(*content.frontier); });
  return {};
}

result<void> sink_state::hand_over(const delivery_item& item) {
  if (const auto* txn = std::get_if<transaction>(&item)) {
    if (auto taken = guarded([&] { return target_->handle_transaction(*txn); }); !taken)
      return taken;
    ++waiting_.transactions;
    waiting_.changes += txn->events().size();
    waiting_.last_commit_time = txn->commit_time;
    return {};
  }
  if (messages_ == nullptr)
    return {};
  return guarded([&] { return messages_->handle_message(std::get<logical_message>(item)); });
}

void sink_state::on(const drain&, const delivery_listener& from) {
  settle();
  self->send(from, drained{});
}

void sink_state::on(const tick& request) {
  if (request.epoch != timer_epoch_)
    return;
  if (std::chrono::steady_clock::now() < settle_at_)
    nap(self, settle_at_, request);
  else
    settle();
}

void sink_state::settle() {
  ++timer_epoch_;
  timer_runs_ = false;
  if (!listener_)
    return;
  if (deferred_ != nullptr)
    if (auto stored = guarded([&] { return deferred_->make_durable(); }); !stored) {
      give_up(stored.error());
      return;
    }
  self->send(listener_, durable{waiting_.reached, waiting_.bytes});
  waiting_.generation = generation;
  self->send(pipeline, std::exchange(waiting_, {}));
  listener_ = delivery_listener{};
}

caf::error sink_state::give_up(const fault& what) {
  fail(self, pipeline, generation, what);
  return what.why;
}

sink_actor::behavior_type run_sink(sink_actor::stateful_pointer<sink_state> self,
                                   generation_listener pipeline, std::uint64_t generation,
                                   sink_factory make_sink) {
  seal(self);
  auto& state = self->state;
  state.pipeline = std::move(pipeline);
  state.generation = generation;
  state.start(make_sink);
  return {
    [&state](const open_session& request) { return state.on(request); },
    [&state](const begin_stream& request) { return state.on(request); },
    [&state](const deliver& request, const delivery_listener& from) { state.on(request, from); },
    [&state](const drain& request, const delivery_listener& from) { state.on(request, from); },
    [&state](const tick& request) { state.on(request); },
  };
}

} // namespace replicant
