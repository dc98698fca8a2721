// SPDX-License-Identifier: MIT
#include "replicant/actors/supervisor.hpp"

#include "replicant/actors/assembler.hpp"
#include "replicant/actors/boundary.hpp"
#include "replicant/actors/connection.hpp"
#include "replicant/actors/sink.hpp"

#include <caf/send.hpp>

#include <algorithm>
#include <utility>

namespace replicant {

static_assert(
  !std::is_aggregate_v<supervisor_state>); // C++20 would fill the first member with `self`

supervisor_state::~supervisor_state() {
  if (!children_.empty())
    take_down();
}

void supervisor_state::start(pipeline_setup setup) {
  setup_ = std::move(setup);
  policy_.emplace(setup_.max_command_retries);
  status_.name = setup_.name;
  status_.slot_name = setup_.slot_name;
  enter(pipeline_phase::connecting);
  self->send(self, begin_generation{++generation_});
}

void supervisor_state::on(const begin_generation& request) {
  if (request.generation != generation_)
    return;
  if (std::chrono::steady_clock::now() < begin_at_) {
    nap(self, begin_at_, request);
    return;
  }
  enter(pipeline_phase::connecting);
  tell({.kind = event_kind::connecting, .count = generation_});
  failure_.reset();
  going_down_ = false;
  try {
    make_children();
  } catch (...) {
    // The system has no thread or descriptor left, or the host's factory threw.
    failure_ = fault{.why = reason::crashed};
    take_down();
    if (children_.empty())
      conclude();
  }
}

void supervisor_state::make_children() {
  store_patience_ = std::stop_source{};
  const std::shared_ptr source = setup_.make_source();
  source_ = source;
  const generation_listener listener{self};
  const auto adopt = [this](const auto& child) {
    children_.push_back(caf::actor_cast<caf::strong_actor_ptr>(child));
    self->monitor(child);
    return child;
  };
  // All of them block, in a sink's code, on a disk and in the connect chain: each has its own
  // thread.
  const auto sink = adopt(self->spawn<caf::detached>(
    run_sink, sink_setup{.pipeline = listener,
                         .make_sink = setup_.make_sink,
                         .messages = setup_.messages,
                         .batches = setup_.batches,
                         .max_inflight_bytes = setup_.max_inflight_bytes,
                         .known = schemas_,
                         .accepted_schema_changes = setup_.accepted_schema_changes,
                         .checkpoints = setup_.checkpoints,
                         .stop = store_patience_.get_token()}));
  auto open = setup_.open;
  open.streaming = open.streaming && policy_->may_stream();
  const auto assembler = adopt(self->spawn<caf::detached>(
    run_assembler, assembler_setup{.pipeline = listener,
                                   .sink = sink,
                                   .max_inflight_bytes = setup_.max_inflight_bytes,
                                   .open = open}));
  connection_ = adopt(self->spawn<caf::detached>(
    run_connection, connection_setup{.pipeline = listener,
                                     .assembler = assembler,
                                     .sink = sink,
                                     .source = source,
                                     .conditions = setup_.conditions,
                                     .max_inflight_bytes = setup_.max_inflight_bytes,
                                     .streaming = open.streaming,
                                     .patience = policy_->patience(),
                                     .on_slow_sink = setup_.on_slow_sink,
                                     .remembered = remembered_}));
  self->send(connection_, begin_generation{generation_});
}

void supervisor_state::on(const generation_failed& news) {
  if (failure_)
    return;
  failure_ = news.what;
  if (failure_->why == reason::spill_exhausted)
    tell({.kind = event_kind::spill_exhausted,
          .failure = *failure_,
          .bytes = find_fact(*failure_, fact_kind::limit).value_or(0)});
  take_down();
}

void supervisor_state::on(const source_connected& news) {
  policy_->on_connected(news.wal_sender_timeout);
  status_.server_version = news.server_version;
  connected_ = true;
  tell({.kind = event_kind::connected, .count = news.server_version});
  warn_of(news.unidentified);
}

void supervisor_state::warn_of(const tables_without_identity& tables) {
  // A reconnect alone is no reason to say it again.
  if (std::exchange(warned_of_, tables) == tables)
    return;
  for (const auto& table : tables.first)
    tell({.kind = event_kind::identity_missing, .table = table});
  if (const auto rest = tables.count - tables.first.size(); rest > 0)
    tell({.kind = event_kind::identity_missing, .count = rest});
}

void supervisor_state::on(const slot_created& news) {
  tell({.kind = event_kind::slot_created, .position = news.consistent_point});
}

void supervisor_state::on(const stream_started& news) {
  status_.acknowledged = news.from;
  remembered_.source = news.source;
  remembered_.timeline = news.timeline;
  if (stopping_ || failure_)
    return;
  enter(pipeline_phase::streaming);
  tell({.kind = event_kind::streaming, .position = news.from});
}

void supervisor_state::on(const stream_reported& news) {
  if (!failure_ && news.paced != status_.paced)
    tell({.kind = news.paced ? event_kind::paced : event_kind::resumed,
          .count = news.in_flight_bytes});
  tell_of(news.made);
  if (news.acknowledged != status_.acknowledged)
    tell({.kind = event_kind::acknowledged, .position = news.acknowledged});
  status_.acknowledged = news.acknowledged;
  status_.received_end = news.received_end;
  status_.lag_bytes = wal_bytes_between(news.acknowledged, news.received_end);
  status_.in_flight_bytes = news.in_flight_bytes;
  status_.open_transactions = news.open_transactions;
  status_.open_bytes = news.open_bytes;
  status_.spilled_bytes = news.spilled_bytes;
  status_.paced = news.paced && !failure_;
}

void supervisor_state::tell_of(const assembly_news& made) {
  status_.streamed += made.streamed;
  status_.rolled_back += made.rolled_back;
  status_.spills += made.spills;
  status_.spill_written += made.spill_written;
  if (made.transactions > 0)
    tell({.kind = event_kind::assembled, .count = made.transactions, .changes = made.changes});
  if (made.rolled_back > 0)
    tell({.kind = event_kind::rolled_back, .count = made.rolled_back});
  if (made.spill_written > 0)
    tell({.kind = event_kind::spilled, .count = made.spills, .bytes = made.spill_written});
}

void supervisor_state::on(const slot_told& news) {
  if (slot_watch_.rises_with(news.standing))
    tell({.kind = event_kind::slot_at_risk, .slot = &news.standing});
  if (going_down_)
    return;
  status_.slot = news.standing;
  status_.slot_asked_at = to_timestamp(std::chrono::system_clock::now());
}

void supervisor_state::on(const server_left& /*request*/) {
  tell({.kind = event_kind::server_leaving});
}

void supervisor_state::on(const tail_cut& news) {
  tell({.kind = event_kind::tail_cut, .count = news.bytes});
}

void supervisor_state::on(const delivery_recorded& news) {
  if (news.reached > status_.durable)
    policy_->on_progress();
  status_.durable.advance(news.reached);
  remembered_.delivered = status_.durable;
  status_.transactions += news.transactions;
  status_.changes += news.changes;
  status_.bytes += news.bytes;
  status_.messages += news.messages;
  if (news.transactions > 0)
    status_.last_commit_time = news.last_commit_time;
  for (const auto& shape : news.shapes)
    schemas_.learn(shape);
  tell_durable(news);
}

void supervisor_state::tell_durable(const delivery_recorded& news) const {
  if (news.messages > 0)
    tell({.kind = event_kind::messages_taken, .count = news.messages, .bytes = news.message_bytes});
  if (news.messages > 0 && news.transactions == 0)
    return;
  const auto kind = news.transactions > 0 ? event_kind::made_durable : event_kind::idle_advanced;
  tell({.kind = kind,
        .position = news.reached.position(),
        .count = news.transactions,
        .changes = news.changes,
        .bytes = news.bytes,
        .duration = news.took});
}

void supervisor_state::on(const delivery_failed& news) const {
  tell({.kind = event_kind::sink_failed, .failure = news.what, .duration = news.took});
}

void supervisor_state::on(const schema_changed& news) {
  tell({.kind = news.accepted ? event_kind::schema_changed : event_kind::schema_refused,
        .position = news.what->at,
        .change = news.what.get()});
}

void supervisor_state::on(const store_reported& news) {
  status_.store_failures = news.failures;
  if (news.failures > 0)
    status_.last_fault = news.last;
  tell({.kind = news.failures > 0 ? event_kind::store_retrying : event_kind::store_recovered,
        .count = news.failures,
        .failure = news.last});
}

caf::result<status_told> supervisor_state::on(const stop_pipeline& /*request*/) {
  const auto over =
    status_.phase == pipeline_phase::halted || status_.phase == pipeline_phase::stopped;
  if (over)
    return status_told{status_};
  auto promise = self->make_response_promise<status_told>();
  stop_requests_.push_back(promise);
  if (!std::exchange(stopping_, true)) {
    const auto chain_runs = status_.phase == pipeline_phase::connecting;
    const auto waits = status_.phase == pipeline_phase::waiting;
    enter(pipeline_phase::stopping);
    if (children_.empty() && (waits || chain_runs)) {
      ++generation_; // A begin under way comes too late.
      finish(pipeline_phase::stopped);
    } else if (!children_.empty()) {
      store_patience_.request_stop();
      self->send(connection_, drain{});
      if (chain_runs)
        interrupt_source();
    }
  }
  return promise;
}

void supervisor_state::on_down(const caf::down_msg& news) {
  const auto gone = std::ranges::find_if(children_, [&](const caf::strong_actor_ptr& child) {
    return caf::actor_cast<caf::actor_addr>(child) == news.source;
  });
  if (gone == children_.end())
    return;
  children_.erase(gone);
  // Closed now, not when the last child is gone: a server that shuts down does not wait for our
  // sink.
  if (connection_ == news.source) {
    source_.reset();
    tell_disconnected();
  }
  if (!failure_ && !stopping_)
    failure_ = fault{.why = reason::crashed};
  take_down();
  if (children_.empty())
    conclude();
}

void supervisor_state::tell_disconnected() {
  // What the slot holds back grows meanwhile, unseen.
  status_.slot.reset();
  if (std::exchange(connected_, false))
    tell({.kind = event_kind::disconnected});
}

void supervisor_state::interrupt_source() const {
  if (const auto source = source_.lock())
    source->interrupt();
}

void supervisor_state::take_down() {
  if (std::exchange(going_down_, true))
    return;
  show_failure();
  store_patience_.request_stop();
  interrupt_source();
  for (const auto& child : children_)
    self->send_exit(caf::actor_cast<caf::actor>(child), caf::exit_reason::user_shutdown);
}

/// Told at once: the children that are still awaited may take their time.
void supervisor_state::show_failure() {
  if (!failure_)
    return;
  status_.last_fault = failure_;
  status_.paced = false;
  if (!stopping_ && status_.phase != pipeline_phase::waiting)
    enter(pipeline_phase::waiting);
}

void supervisor_state::conclude() {
  show_failure();
  connection_ = connection_actor{};
  status_.in_flight_bytes = 0;
  status_.open_transactions = 0;
  status_.open_bytes = 0;
  status_.spilled_bytes = 0;
  status_.store_failures = 0;
  // What only a person can cure is told even when it came while stopping.
  const auto halts = failure_ && disposition_of(failure_->why) == disposition::halt;
  if (stopping_ && !halts)
    return finish(pipeline_phase::stopped);
  const auto delay = policy_->on_failure(*failure_, std::chrono::steady_clock::now());
  if (!delay) {
    tell({.kind = event_kind::halted, .failure = *failure_});
    return finish(pipeline_phase::halted);
  }
  ++status_.reconnects;
  tell({.kind = event_kind::generation_lost, .delay = *delay, .failure = *failure_});
  begin_at_ = std::chrono::steady_clock::now() + *delay;
  nap(self, begin_at_, begin_generation{++generation_});
}

void supervisor_state::finish(pipeline_phase phase) {
  enter(phase);
  if (phase == pipeline_phase::stopped)
    tell({.kind = event_kind::stopped, .position = status_.acknowledged});
  for (auto& request : std::exchange(stop_requests_, {}))
    request.deliver(status_told{status_});
}

void supervisor_state::enter(pipeline_phase phase) {
  status_.phase = phase;
  status_.phase_since = to_timestamp(std::chrono::system_clock::now());
}

void supervisor_state::tell(telemetry_event what) const {
  what.pipeline = status_.name;
  if (!setup_.watcher)
    return;
  try {
    setup_.watcher->on_event(what);
  } catch (...) {
    // An observer that breaks its promise not to throw must not end what it observes.
  }
}

supervisor_actor::behavior_type
run_supervisor(supervisor_actor::stateful_pointer<supervisor_state> self, pipeline_setup setup) {
  seal(self);
  auto& state = self->state;
  self->set_down_handler([&state](const caf::down_msg& news) { state.on_down(news); });
  state.start(std::move(setup));
  return {
    [&state](const tell_status& request) { return state.on(request); },
    [&state](const stop_pipeline& request) { return state.on(request); },
    [&state](const generation_failed& news) { state.on(news); },
    [&state](const source_connected& news) { state.on(news); },
    [&state](const slot_created& news) { state.on(news); },
    [&state](const stream_started& news) { state.on(news); },
    [&state](const stream_reported& news) { state.on(news); },
    [&state](const slot_told& news) { state.on(news); },
    [&state](const server_left& news) { state.on(news); },
    [&state](const tail_cut& news) { state.on(news); },
    [&state](const delivery_recorded& news) { state.on(news); },
    [&state](const delivery_failed& news) { state.on(news); },
    [&state](const schema_changed& news) { state.on(news); },
    [&state](const store_reported& news) { state.on(news); },
    [&state](const begin_generation& request) { state.on(request); },
  };
}

} // namespace replicant
