// SPDX-License-Identifier: MIT
#include "replicant/bench/mailbox_actors.hpp"

#include "replicant/actors/boundary.hpp"

#include <type_traits>
#include <utility>

namespace replicant::bench {

// C++20 would fill the first member with `self`.
static_assert(!std::is_aggregate_v<reader_state> && !std::is_aggregate_v<writer_state> &&
              !std::is_aggregate_v<pinger_state> && !std::is_aggregate_v<ponger_state>);

void reader_state::on(const note& /*news*/) {
  if (++seen == expected) {
    seen = 0;
    done->open();
  }
}

void writer_state::on(const write_notes& request) {
  for (std::uint64_t i = 0; i < request.count; ++i)
    self->send(reader, note{i});
}

void pinger_state::on(const serve& request) {
  self->send(partner, ping{request.rounds}, pong_listener{self});
}

void pinger_state::on(const pong& news) {
  if (news.left == 0)
    done->open();
  else
    self->send(partner, ping{news.left}, pong_listener{self});
}

void ponger_state::on(const ping& news, const pong_listener& from) {
  self->send(from, pong{news.left - 1});
}

reader_actor::behavior_type run_reader(reader_actor::stateful_pointer<reader_state> self,
                                       gate* done, std::uint64_t expected) {
  seal(self);
  auto& state = self->state;
  state.done = done;
  state.expected = expected;
  return {
    [&state](const note& news) { state.on(news); },
  };
}

writer_actor::behavior_type run_writer(writer_actor::stateful_pointer<writer_state> self,
                                       reader_actor reader) {
  seal(self);
  auto& state = self->state;
  state.reader = std::move(reader);
  return {
    [&state](const write_notes& request) { state.on(request); },
  };
}

pinger_actor::behavior_type run_pinger(pinger_actor::stateful_pointer<pinger_state> self,
                                       ponger_actor partner, gate* done) {
  seal(self);
  auto& state = self->state;
  state.partner = std::move(partner);
  state.done = done;
  return {
    [&state](const pong& news) { state.on(news); },
    [&state](const serve& request) { state.on(request); },
  };
}

ponger_actor::behavior_type run_ponger(ponger_actor::stateful_pointer<ponger_state> self,
                                       int /*unused*/) {
  seal(self);
  auto& state = self->state;
  return {
    [&state](const ping& news, const pong_listener& from) { state.on(news, from); },
  };
}

caf::behavior read_plainly(caf::event_based_actor* /*self*/, gate* done, std::uint64_t expected) {
  return {
    [done, expected, seen = std::uint64_t{0}](caf::put_atom, std::uint64_t) mutable {
      if (++seen == expected) {
        seen = 0;
        done->open();
      }
    },
  };
}

caf::behavior write_plainly(caf::event_based_actor* self, const caf::actor& reader) {
  return {
    [self, reader](caf::get_atom, std::uint64_t count) {
      for (std::uint64_t i = 0; i < count; ++i)
        self->send(reader, caf::put_atom::value, i);
    },
  };
}

caf::behavior ping_plainly(caf::event_based_actor* self, const caf::actor& partner, gate* done) {
  return {
    [self, partner](caf::get_atom, std::uint64_t rounds) {
      self->send(partner, caf::put_atom::value, rounds, caf::actor{self});
    },
    [self, partner, done](caf::ok_atom, std::uint64_t left) {
      if (left == 0)
        done->open();
      else
        self->send(partner, caf::put_atom::value, left, caf::actor{self});
    },
  };
}

caf::behavior pong_plainly(caf::event_based_actor* self, int /*unused*/) {
  return {
    [self](caf::put_atom, std::uint64_t left, const caf::actor& from) {
      self->send(from, caf::ok_atom::value, left - 1);
    },
  };
}

} // namespace replicant::bench
