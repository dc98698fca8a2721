// SPDX-License-Identifier: MIT
#include "replicant/bench/plain_chain.hpp"

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/exit_reason.hpp>
#include <caf/send.hpp>
#include <caf/stateful_actor.hpp>

#include <utility>

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(std::shared_ptr<const replicant::chunk>)

namespace replicant::bench {

namespace {

using chunk_pointer = std::shared_ptr<const chunk>;

/// Sends while there is credit.
struct feeder_state {
  explicit feeder_state(caf::event_based_actor* /*owner*/) {}

  std::uint64_t in_flight = 0;
  std::size_t at = 0;
};

caf::behavior feed(caf::stateful_actor<feeder_state>* self, const caf::actor& next,
                   const std::vector<chunk_pointer>* chunks, std::uint64_t credit) {
  const auto send_on = [=] {
    auto& state = self->state;
    while (state.in_flight < credit) {
      const auto& one = (*chunks)[state.at];
      state.at = (state.at + 1) % chunks->size();
      state.in_flight += one->charge();
      self->send(next, caf::put_atom::value, one, caf::actor{self});
    }
  };
  send_on();
  return {
    [=](caf::ok_atom, std::uint64_t released) {
      self->state.in_flight -= released;
      send_on();
    },
  };
}

caf::behavior pass_on(caf::event_based_actor* self, const caf::actor& next) {
  return {
    [=](caf::put_atom, const chunk_pointer& one, const caf::actor& from) {
      self->send(next, caf::put_atom::value, one, from);
    },
  };
}

caf::behavior take(caf::event_based_actor* self, std::size_t expected, gate* done) {
  return {
    [=, seen = std::size_t{0}](caf::put_atom, const chunk_pointer& one,
                               const caf::actor& from) mutable {
      self->send(from, caf::ok_atom::value, one->charge());
      if (++seen == expected) {
        seen = 0;
        done->open();
      }
    },
  };
}

} // namespace

plain_chain::plain_chain(caf::actor_system& system, const std::vector<chunk_pointer>& chunks,
                         std::uint64_t credit, gate& done)
  : last_{system.spawn<caf::detached>(take, chunks.size(), &done)},
    middle_{system.spawn(pass_on, last_)},
    first_{system.spawn<caf::detached>(feed, middle_, &chunks, credit)} {}

plain_chain::~plain_chain() {
  for (const auto& one : {first_, middle_, last_})
    caf::anon_send_exit(one, caf::exit_reason::user_shutdown);
}

} // namespace replicant::bench
