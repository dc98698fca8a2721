// SPDX-License-Identifier: MIT
#include "replicant/actors/host_sink.hpp"

#include "replicant/actors/boundary.hpp"

#include <caf/actor_system.hpp>
#include <caf/scoped_actor.hpp>

#include <utility>

namespace replicant {

namespace {

reason reason_of(const caf::error& why) {
  const auto ours = why.category() == caf::make_error(reason::sink_failed).category() &&
                    why.code() > 0 && why.code() <= reason_count;
  return ours ? static_cast<reason>(why.code()) : reason::sink_failed;
}

/// A sink for the SINK actor, whose thread may wait: each call is a question to the host's actor.
class host_sink final : public sink, public session_sink, public frontier_sink {
public:
  host_sink(caf::actor_system& system, host_sink_actor target)
    : self_{system}, target_{std::move(target)} {
    self_->monitor(target_);
  }

  result<void> handle_session_identity(const session_identity& identity) override {
    const auto opened = ask<sink_checkpoint>(open_session{identity});
    if (!opened)
      return failure(opened.error());
    held_ = *opened;
    return {};
  }

  result<sink_checkpoint> checkpoint() override { return held_; }

  result<void> handle_stream_start(stream_start how, const session_identity& identity) override {
    return answered(ask<stream_begun>(begin_stream{how, identity, {}}));
  }

  result<void> handle_transaction(const transaction& txn) override {
    return answered(ask<taken>(take_transaction{txn}));
  }

  result<void> handle_frontier(watermark reached) override {
    return answered(ask<taken>(take_frontier{reached}));
  }

private:
  /// No `request`: CAF leaves one without an answer when the actor ends that was to give it.
  template <class Answer, class Request>
  result<Answer> ask(Request request) {
    result<Answer> told = failure(reason::sink_failed);
    self_->send(target_, std::move(request));
    self_->receive([&](const Answer& answer) { told = answer; },
                   [&](const caf::error& why) { told = failure(reason_of(why)); },
                   [](const caf::down_msg&) {});
    return told;
  }

  template <class Answer>
  static result<void> answered(const result<Answer>& told) {
    return told ? result<void>{} : failure(told.error());
  }

  caf::scoped_actor self_;
  host_sink_actor target_;
  sink_checkpoint held_;
};

} // namespace

sink_factory sinks_of(caf::actor_system& system, host_sink_actor target) {
  return [&system, target = std::move(target)]() -> result<std::unique_ptr<sink>> {
    return std::make_unique<host_sink>(system, target);
  };
}

} // namespace replicant
