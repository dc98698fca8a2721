// SPDX-License-Identifier: MIT
#include "replicant/actors/sink.hpp"

#include "replicant/actors/boundary.hpp"

#include <utility>

namespace replicant {

static_assert(!std::is_aggregate_v<sink_state>); // C++20 would fill the first member with `self`

void sink_state::start() {
  auto made = guarded(setup.make_sink);
  if (!made || !*made) {
    give_up(made ? fault{.why = reason::sink_failed} : made.error());
    return;
  }
  target_ = std::move(*made);
  session_ = dynamic_cast<session_sink*>(target_.get());
  deferred_ = dynamic_cast<deferred_sink*>(target_.get());
  frontier_ = dynamic_cast<frontier_sink*>(target_.get());
  messages_ = dynamic_cast<message_sink*>(target_.get());
  schemas_ = dynamic_cast<schema_change_sink*>(target_.get());
  if (setup.messages && messages_ == nullptr)
    give_up({.why = reason::messages_unsupported});
  else if (deferred_ != nullptr)
    ask_interval();
}

void sink_state::ask_interval() {
  const auto asked = guarded(
    [this]() -> result<std::chrono::milliseconds> { return deferred_->durability_interval(); });
  if (asked)
    interval_ = *asked;
  else
    give_up(asked.error());
}

caf::result<session_opened> sink_state::on(const open_session& request) {
  if (session_ != nullptr)
    if (auto known = guarded([&] { return session_->handle_session_identity(request.identity); });
        !known)
      return give_up(known.error());
  const auto held = guarded([&] { return target_->checkpoint(); });
  if (!held)
    return give_up(held.error());
  torn_bytes_ = held->torn_bytes;
  return session_opened{*held, frontier_ != nullptr};
}

caf::result<stream_begun> sink_state::on(const begin_stream& request) {
  if (session_ != nullptr)
    if (auto ready =
          guarded([&] { return session_->handle_stream_start(request.how, request.identity); });
        !ready)
      return give_up(ready.error());
  if (torn_bytes_ > 0)
    self->send(setup.pipeline, tail_cut{torn_bytes_});
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
  waiting_.shapes.insert(waiting_.shapes.end(), content.shapes.begin(), content.shapes.end());
  if (deferred_ == nullptr || waiting_.bytes >= setup.settle_bytes)
    settle();
  else
    settle_later();
}

/// Waits for the interval. Without one the tick comes behind the deliveries that are here already,
/// so that one sync serves them all.
void sink_state::settle_later() {
  if (std::exchange(timer_runs_, true))
    return;
  settle_at_ = std::chrono::steady_clock::now() + interval_;
  if (interval_.count() == 0)
    self->send(self, tick{timer_epoch_});
  else
    nap(self, settle_at_, tick{timer_epoch_});
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
  if (const auto* changed = std::get_if<std::shared_ptr<const schema_change>>(&item))
    return hand_over(*changed);
  if (messages_ == nullptr)
    return {};
  return guarded([&] { return messages_->handle_message(std::get<logical_message>(item)); });
}

result<void> sink_state::hand_over(const std::shared_ptr<const schema_change>& what) {
  auto taken = schemas_ != nullptr ? guarded([&] { return schemas_->handle_schema_change(*what); })
                                   : refuse_destructive(*what);
  self->send(setup.pipeline, schema_changed{what, taken.has_value()});
  return taken;
}

void sink_state::on(const drain& /*request*/, const delivery_listener& from) {
  if (settle())
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

bool sink_state::settle() {
  ++timer_epoch_;
  timer_runs_ = false;
  if (!listener_)
    return true;
  if (deferred_ != nullptr)
    if (auto stored = guarded([&] { return deferred_->make_durable(); }); !stored) {
      give_up(stored.error());
      return false;
    }
  self->send(listener_, durable{waiting_.reached, waiting_.bytes});
  self->send(setup.pipeline, std::exchange(waiting_, {}));
  listener_ = delivery_listener{};
  return true;
}

caf::error sink_state::give_up(const fault& what) const {
  fail(self, setup.pipeline, what);
  return what.why;
}

sink_actor::behavior_type run_sink(sink_actor::stateful_pointer<sink_state> self,
                                   sink_setup setup) {
  seal(self);
  auto& state = self->state;
  state.setup = std::move(setup);
  state.start();
  return {
    [&state](const open_session& request) { return state.on(request); },
    [&state](const begin_stream& request) { return state.on(request); },
    [&state](const deliver& request, const delivery_listener& from) { state.on(request, from); },
    [&state](const drain& request, const delivery_listener& from) { state.on(request, from); },
    [&state](const tick& request) { state.on(request); },
  };
}

} // namespace replicant
