// SPDX-License-Identifier: MIT
#include "replicant/actors/sink.hpp"

#include "replicant/actors/boundary.hpp"
#include "replicant/core/assembly/schema_state.hpp"

#include <algorithm>
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
  look_at_capabilities();
  if (setup.checkpoints && !open_store()) {
    give_up({.why = reason::checkpoint_store_failed});
    return;
  }
  if (const auto limits = choose_limits())
    batch_ = batch{*limits};
  else
    give_up(limits.error());
}

/// @returns whether the factory, which may be a host's, has made one.
bool sink_state::open_store() {
  std::unique_ptr<checkpoint_store> made;
  try {
    made = setup.checkpoints->make_store();
  } catch (...) {
    return false;
  }
  if (made)
    store_.emplace(std::move(made), setup.checkpoints->retry, setup.stop,
                   [this](std::uint32_t failures, const fault& last) {
                     self->send(setup.pipeline, store_reported{failures, last});
                   });
  return store_.has_value();
}

void sink_state::look_at_capabilities() {
  session_ = dynamic_cast<session_sink*>(target_.get());
  deferred_ = dynamic_cast<deferred_sink*>(target_.get());
  frontier_ = dynamic_cast<frontier_sink*>(target_.get());
  messages_ = dynamic_cast<message_sink*>(target_.get());
  schemas_ = dynamic_cast<schema_change_sink*>(target_.get());
  states_ = dynamic_cast<state_sink*>(target_.get());
  if (setup.batches)
    batches_ = dynamic_cast<batch_sink*>(target_.get());
}

/// @fault messages_unsupported, batch_unsupported: the sink cannot do what is asked for.
result<batch_limits> sink_state::choose_limits() {
  if (setup.messages && messages_ == nullptr)
    return failure(reason::messages_unsupported);
  if (setup.batches && batches_ == nullptr)
    return failure(reason::batch_unsupported);
  if (setup.batches)
    return batch_limits::for_batches(*setup.batches, setup.max_inflight_bytes);
  if (setup.checkpoints)
    return batch_limits::for_checkpoints(setup.checkpoints->batch, setup.max_inflight_bytes);
  if (deferred_ == nullptr)
    return batch_limits{};
  return guarded([this]() -> result<batch_limits> {
    return batch_limits::for_syncs(deferred_->durability_interval(), setup.max_inflight_bytes);
  });
}

caf::result<session_opened> sink_state::on(const open_session& request) {
  if (session_ != nullptr)
    if (auto known = guarded([&] { return session_->handle_session_identity(request.identity); });
        !known)
      return give_up(known.error());
  const auto held =
    store_ ? store_->open(request.identity) : guarded([&] { return target_->checkpoint(); });
  if (!held)
    return give_up(held.error());
  torn_bytes_ = held->torn_bytes;
  if (auto recalled = recall(held->state); !recalled)
    return give_up(recalled.error());
  return session_opened{*held, store_ || frontier_ != nullptr, known_};
}

/// What a sink or store keeps is never behind what the pipeline has been told.
result<void> sink_state::recall(std::span<const state_entry> state) {
  if (!store_ && states_ == nullptr) {
    known_ = setup.known;
    return {};
  }
  auto known = schemas_in(state);
  if (store_ && (!known || !timeline_in(state)))
    return failure(reason::checkpoint_store_mismatch);
  if (!known)
    return failure(known.error());
  known_ = std::move(*known);
  return {};
}

caf::result<stream_begun> sink_state::on(const begin_stream& request) {
  if (session_ != nullptr)
    if (auto ready =
          guarded([&] { return session_->handle_stream_start(request.how, request.identity); });
        !ready)
      return give_up(ready.error());
  if (store_)
    if (auto ready = store_->prepare(request.identity); !ready)
      return give_up(ready.error());
  if (store_ || states_ != nullptr)
    put(changed_, state_of(request.timeline));
  if (torn_bytes_ > 0)
    self->send(setup.pipeline, tail_cut{torn_bytes_});
  return stream_begun{};
}

void sink_state::on(const deliver& request, const delivery_listener& from) {
  listener_ = from;
  if (auto taken = take(request.content); !taken) {
    record_part();
    give_up_delivery(taken.error());
  } else if (batch_.may_wait())
    come_back_later();
  else
    settled();
}

result<void> sink_state::take(const std::shared_ptr<const delivery>& content) {
  const auto now = std::chrono::steady_clock::now();
  for (const auto& item : content->items) {
    if (auto taken = take(item, now); !taken)
      return taken;
    counted_.reached.advance(promised_by(item));
  }
  if (content->frontier && frontier_ != nullptr && !batch_.hold_back(*content->frontier))
    if (auto taken = take(*content->frontier); !taken)
      return taken;
  if (deferred_ != nullptr && batches_ == nullptr)
    batch_.wait(now);
  batch_.complete(content);
  return {};
}

result<void> sink_state::take(const delivery_item& item, moment now) {
  if (batch_.precedes(item))
    if (auto stored = settle_now(); !stored)
      return stored;
  return std::visit([&](const auto& one) { return take(one, now); }, item);
}

result<void> sink_state::take(const transaction& txn, moment now) {
  remember_arriving();
  if (batches_ != nullptr) {
    batch_.hold(txn, now);
  } else {
    if (auto taken = hand_over([&] { return target_->handle_transaction(txn); }); !taken)
      return taken;
    if (store_)
      batch_.take(txn, now);
  }
  ++counted_.transactions;
  counted_.changes += txn.events().size();
  counted_.last_commit_time = txn.commit_time;
  counted_.shapes.insert(counted_.shapes.end(), arriving_.begin(), arriving_.end());
  arriving_.clear();
  return {};
}

result<void> sink_state::take(const logical_message& message, moment /*now*/) {
  if (messages_ == nullptr)
    return {};
  auto taken = hand_over([&] { return messages_->handle_message(message); });
  if (taken) {
    ++counted_.messages;
    counted_.message_bytes += message.content.size();
  }
  return taken;
}

result<void> sink_state::take(const std::shared_ptr<const schema_change>& what, moment /*now*/) {
  auto taken = schemas_ != nullptr ? guarded([&] { return schemas_->handle_schema_change(*what); })
                                   : refuse_destructive(*what);
  if (!taken && taken.error().why == reason::schema_change_destructive &&
      std::ranges::find(setup.accepted_schema_changes, fingerprint_of(*what)) !=
        setup.accepted_schema_changes.end())
    taken = {};
  self->send(setup.pipeline, schema_changed{what, taken.has_value()});
  return taken;
}

/// Remembered with the transaction that follows, and not with a batch that ends before it.
result<void> sink_state::take(const std::shared_ptr<const relation>& shape, moment /*now*/) {
  arriving_.push_back(shape);
  return {};
}

void sink_state::remember_arriving() {
  if (!store_ && states_ == nullptr)
    return;
  for (const auto& shape : arriving_)
    for (const auto oid : known_.learn(shape))
      put(changed_, state_of(known_, oid));
}

result<void> sink_state::take(watermark frontier) {
  return hand_over([&] { return frontier_->handle_frontier(frontier); });
}

/// Gives the sink what is to be remembered, then what it is to be remembered with.
template <class Call>
result<void> sink_state::hand_over(Call call) {
  if (!store_ && states_ != nullptr)
    for (const auto& one : std::exchange(changed_, {}))
      if (auto taken = guarded([&] { return states_->handle_state(one); }); !taken)
        return taken;
  if (!handed_over_at_)
    handed_over_at_ = std::chrono::steady_clock::now();
  return guarded(call);
}

/// What was taken of a delivery that was then refused is durable, if it is so on return.
void sink_state::record_part() {
  if (deferred_ != nullptr || batches_ != nullptr || store_ || counted_.reached == watermark{})
    return;
  counted_.took = since_handed_over();
  self->send(setup.pipeline, std::exchange(counted_, {}));
}

/// Waits until the batch is due. One that is due at once comes behind the deliveries that are here
/// already, so that one sync serves them all.
void sink_state::come_back_later() {
  if (std::exchange(timer_runs_, true))
    return;
  if (batch_.due() <= std::chrono::steady_clock::now())
    self->send(self, tick{timer_epoch_});
  else
    nap(self, batch_.due(), tick{timer_epoch_});
}

void sink_state::on(const drain& /*request*/, const delivery_listener& from) {
  if (settled())
    self->send(from, drained{});
}

void sink_state::on(const settle& /*request*/) {
  settled();
}

void sink_state::on(const tick& request) {
  if (request.epoch != timer_epoch_)
    return;
  if (std::chrono::steady_clock::now() < batch_.due())
    nap(self, batch_.due(), request);
  else
    settled();
}

/// Settles, and gives up where that fails.
bool sink_state::settled() {
  const auto stored = settle_now();
  if (!stored)
    give_up_delivery(stored.error());
  return stored.has_value();
}

result<void> sink_state::settle_now() {
  ++timer_epoch_;
  timer_runs_ = false;
  if (batch_.empty())
    return {};
  auto stored = hand_over_batch();
  if (stored && deferred_ != nullptr)
    stored = guarded([this] { return deferred_->make_durable(); });
  if (stored && store_)
    stored = store_->write(batch_.reached(), std::exchange(changed_, {}));
  if (!stored)
    return stored;
  const auto promised = batch_.close();
  counted_.reached = promised.reached;
  counted_.bytes = promised.bytes + promised.spilled;
  counted_.took = since_handed_over();
  handed_over_at_.reset();
  self->send(listener_, durable{promised.reached, promised.bytes});
  self->send(setup.pipeline, std::exchange(counted_, {}));
  return {};
}

result<void> sink_state::hand_over_batch() {
  const auto held = batch_.transactions();
  if (held.empty())
    return {};
  if (auto taken = hand_over([&] { return batches_->handle_batch(held); }); !taken)
    return taken;
  const auto frontier = batch_.frontier();
  return frontier ? take(*frontier) : result<void>{};
}

std::chrono::microseconds sink_state::since_handed_over() const {
  using std::chrono::microseconds;
  if (!handed_over_at_)
    return microseconds{0};
  return std::chrono::floor<microseconds>(std::chrono::steady_clock::now() - *handed_over_at_);
}

void sink_state::give_up_delivery(const fault& what) const {
  self->send(setup.pipeline, delivery_failed{what, since_handed_over()});
  give_up(what);
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
    [&state](const settle& request) { state.on(request); },
    [&state](const tick& request) { state.on(request); },
  };
}

} // namespace replicant
