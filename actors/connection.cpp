// SPDX-License-Identifier: MIT
#include "replicant/actors/connection.hpp"

#include "replicant/actors/boundary.hpp"
#include "replicant/core/telemetry/failpoint.hpp"

#include <algorithm>
#include <utility>

namespace replicant {

static_assert(
  !std::is_aggregate_v<connection_state>); // C++20 would fill the first member with `self`

namespace {

constexpr auto report_pace = std::chrono::milliseconds{250};
constexpr auto longest_rest = std::chrono::milliseconds{2};
constexpr auto slot_question_pace = std::chrono::seconds{10};
constexpr auto farewell_patience = std::chrono::milliseconds{2000};

moment now_of_clock() {
  return std::chrono::steady_clock::now();
}

} // namespace

void connection_state::on(const begin_generation& /*request*/) {
  auto facts = setup.source->connect();
  if (!facts)
    return give_up(facts.error());
  facts_ = std::move(*facts);
  self->send(setup.pipeline, source_connected{facts_.server_version, facts_.wal_sender_timeout,
                                              facts_.unidentified});
  if (auto same = judge_identity(facts_, setup.conditions, setup.remembered); !same)
    return give_up(same.error());
  // A sink that fails has told the pipeline already; this child only has to go.
  self->request(setup.sink, caf::infinite, open_session{facts_.identity})
    .then([this](const session_opened& opened) { plan(opened); },
          [this](caf::error&) { self->quit(); });
}

void connection_state::plan(const session_opened& opened) {
  // Of the right server only: what a wrong one lacks is nothing to put right.
  if (auto fit = judge_source(facts_, setup.conditions); !fit)
    return give_up(fit.error());
  known_ = opened.known;
  const auto chosen =
    plan_start(facts_, opened.held, opened.persists_frontier, setup.conditions, setup.remembered);
  if (!chosen)
    return give_up(chosen.error());
  self
    ->request(setup.sink, caf::infinite,
              begin_stream{chosen->how, facts_.identity, chosen->timeline})
    .then([this, plan = *chosen](const stream_begun&) { prepare(plan); },
          [this](caf::error&) { self->quit(); });
}

void connection_state::prepare(const start_plan& chosen) {
  auto ready = chosen;
  if (chosen.how == stream_start::fresh) {
    const auto consistent_point = setup.source->create_slot();
    if (!consistent_point)
      return give_up(consistent_point.error());
    self->send(setup.pipeline, slot_created{*consistent_point});
    ready.resume = watermark::before(*consistent_point);
  }
  stream(ready);
}

void connection_state::stream(const start_plan& chosen) {
  const auto from = chosen.resume.acknowledged();
  if (auto started = setup.source->start(from, setup.streaming); !started)
    return give_up(started.error());
  control_.emplace(stream_limits{setup.max_inflight_bytes, facts_.wal_sender_timeout,
                                 setup.patience, setup.on_slow_sink},
                   chosen.resume, now_of_clock());
  self->send(setup.assembler,
             begin_assembly{chosen.resume, chosen.origin_to_persist, std::exchange(known_, {}),
                            facts_.identity, facts_.server_version});
  if (chosen.origin_to_persist) {
    control_->mark(chosen.resume);
    pass_on(now_of_clock()); // Before anything that is read.
  }
  self->send(setup.pipeline, stream_started{from, facts_.identity, chosen.timeline});
  pace_ = read_pace{setup.source->gathering_limit()};
  read_on();
}

void connection_state::on(const source_ready& /*request*/) {
  continues_ = false;
  armed_.reset();
  if (drained_ && flows())
    setup.source->let_gather(pace_.pause());
  look();
}

void connection_state::look() {
  rests_until_.reset();
  if (setup.source->server_is_leaving()) {
    self->send(setup.pipeline, server_left{});
    return give_up({.why = reason::server_unavailable});
  }
  read_on();
}

void connection_state::on(const assembled& news) {
  control_->on_assembled(news.released, news.open);
  untold_ += news.made;
  assembly_ = news;
  pump();
}

void connection_state::on(const durable& news) {
  control_->on_durable(news.reached, news.released);
  if (rests_until_)
    look(); // What has come meanwhile goes with the next delivery.
  else
    pump();
}

void connection_state::on(const drain& /*request*/) {
  if (!control_) {
    self->quit();
    return;
  }
  draining_ = true;
  control_->stop_reading();
  pass_on(now_of_clock());
  self->send(setup.assembler, drain{}, delivery_listener{self});
}

void connection_state::on(const drained& /*request*/) {
  if (auto told = send_status(now_of_clock()); !told)
    return give_up(told.error());
  report(now_of_clock());
  setup.source->finish(farewell_patience);
  self->quit();
}

void connection_state::on(const tick& request) {
  if (request.epoch != timer_epoch_)
    return;
  timer_at_.reset();
  if (rests_until_ && now_of_clock() >= *rests_until_)
    look();
  else
    pump();
}

/// Reads what is here, one chunk at a time so that other messages get their turn.
void connection_state::read_on() {
  const auto now = now_of_clock();
  if (control_->decide_reading(now))
    if (auto outcome = read_chunk(now); !outcome)
      return give_up(outcome.error());
  pump();
}

/// Does what can be done now without waiting.
void connection_state::pump() {
  const auto now = now_of_clock();
  auto outcome = send_status(now);
  if (outcome)
    outcome = control_->check_patience(now);
  if (!outcome)
    return give_up(outcome.error());
  pass_on(now);
  report(now);
  ask_of_slot(now);
  wait_for_more(now);
  if (control_->take_settle())
    self->send(setup.assembler, settle{});
  arm();
}

result<void> connection_state::read_chunk(moment now) {
  drained_ = false;
  while (!control_->chunk_full()) {
    const auto frame = setup.source->next_frame();
    if (!frame)
      return failure(frame.error());
    if (!*frame) {
      drained_ = true;
      pace_.on_drained(now);
      return {};
    }
    pace_.on_frame();
    if (auto taken = control_->on_frame(**frame, now); !taken)
      return taken;
  }
  return {};
}

/// Sees to it that what comes is read: by a message of our own while the stream flows, with the
/// sink's next answer while it is at work, otherwise when the source says so.
void connection_state::wait_for_more(moment now) {
  if (continues_ || rests_until_)
    return;
  const auto reading = control_->decide_reading(now);
  if (reading && flows()) {
    continues_ = true;
    self->send(self, source_ready{});
    return;
  }
  if (reading && !armed_ && control_->sink_is_at_work() && pace_.lively(now)) {
    rests_until_ = now + longest_rest;
    return;
  }
  drained_ = drained_ && reading; // What comes while reading rests is read before it is waited for.
  if (armed_ == reading)
    return;
  armed_ = reading;
  setup.source->notify(reading, [weak = caf::actor_cast<caf::actor_addr>(connection_actor{self})] {
    if (auto alive = caf::actor_cast<caf::strong_actor_ptr>(weak))
      caf::anon_send(caf::actor_cast<connection_actor>(alive), source_ready{});
  });
}

/// Whether more is here or is sure to come at once.
bool connection_state::flows() const {
  return !control_->paced() && (!drained_ || pace_.pause().count() > 0);
}

void connection_state::pass_on(moment now) {
  if (auto source = control_->next_chunk(now, flows()))
    self->send(setup.assembler, assemble{std::move(source)}, delivery_listener{self});
}

result<void> connection_state::send_status(moment now) {
  auto update = control_->take_status(now);
  if (!update)
    return setup.source->flush();
  update->now = to_timestamp(std::chrono::system_clock::now());
  static_cast<void>(reach(failpoint::before_acknowledge));
  const auto bytes = encode(*update);
  auto sent = setup.source->send({bytes.data(), bytes.size()});
  armed_.reset(); // Bytes may be left behind, to be sent when the socket takes them.
  static_cast<void>(reach(failpoint::after_acknowledge));
  return sent;
}

stream_reported connection_state::stream_state() const {
  return {.acknowledged = control_->confirmed(),
          .received_end = control_->received_end(),
          .in_flight_bytes = control_->in_flight(),
          .open_transactions = assembly_.open_transactions,
          .open_bytes = assembly_.open,
          .spilled_bytes = assembly_.spill ? assembly_.spill->bytes() : 0,
          .paced = control_->paced(),
          .made = untold_};
}

void connection_state::report(moment now) {
  looked_at_ = now;
  const auto news = stream_state();
  if (news == told_ || (now - told_at_ < report_pace && !draining_ && news.paced == told_.paced))
    return;
  tell_stream_state(now);
}

void connection_state::tell_stream_state(moment now) {
  told_ = stream_state();
  told_at_ = now;
  self->send(setup.pipeline, told_);
  untold_ = {};
  told_.made = {};
}

/// Takes the server's answer, if there is one, and asks again when it is time.
void connection_state::ask_of_slot(moment now) {
  if (const auto answer = setup.source->slot_answer())
    self->send(setup.pipeline, slot_told{*answer});
  if (now < ask_again_at_)
    return;
  setup.source->ask_of_slot();
  ask_again_at_ = now + slot_question_pace;
}

void connection_state::arm() {
  auto next = std::min(control_->next_deadline(), ask_again_at_);
  if (stream_state() != told_)
    next = std::min(next, told_at_ + report_pace);
  if (told_.spilled_bytes > 0) // Files go without a word.
    next = std::min(next, looked_at_ + report_pace);
  if (rests_until_)
    next = std::min(next, *rests_until_);
  if (timer_at_ && *timer_at_ <= next)
    return;
  timer_at_ = next;
  nap(self, next, tick{++timer_epoch_});
}

void connection_state::give_up(const fault& what) {
  if (control_)
    tell_stream_state(now_of_clock());
  fail(self, setup.pipeline, what);
}

connection_actor::behavior_type
run_connection(connection_actor::stateful_pointer<connection_state> self, connection_setup setup) {
  seal(self);
  auto& state = self->state;
  state.setup = std::move(setup);
  return {
    [&state](const assembled& news) { state.on(news); },
    [&state](const durable& news) { state.on(news); },
    [&state](const drained& news) { state.on(news); },
    [&state](const begin_generation& request) { state.on(request); },
    [&state](const source_ready& request) { state.on(request); },
    [&state](const tick& request) { state.on(request); },
    [&state](const drain& request) { state.on(request); },
  };
}

} // namespace replicant
