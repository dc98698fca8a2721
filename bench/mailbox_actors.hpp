// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/bench/gate.hpp"

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>
#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/replies_to.hpp>
#include <caf/send.hpp>
#include <caf/spawn_options.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <cstdint>

// The same small actors twice: as ours are made, and as CAF alone would have them. None is made
// without an argument, for which CAF would bind a reference to nothing.

namespace replicant::bench {

struct note {
  std::uint64_t number = 0;
};

struct write_notes {
  std::uint64_t count = 0;
};

struct serve {
  std::uint64_t rounds = 0;
};

struct ping {
  std::uint64_t left = 0;
};

struct pong {
  std::uint64_t left = 0;
};

} // namespace replicant::bench

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(replicant::bench::note)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(replicant::bench::write_notes)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(replicant::bench::serve)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(replicant::bench::ping)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(replicant::bench::pong)

namespace replicant::bench {

// Ours: typed interfaces, a state, messages that nothing can serialise.

using reader_actor = caf::typed_actor<caf::reacts_to<note>>;
using writer_actor = caf::typed_actor<caf::reacts_to<write_notes>>;
using pong_listener = caf::typed_actor<caf::reacts_to<pong>>;
using ponger_actor = caf::typed_actor<caf::reacts_to<ping, pong_listener>>;
using pinger_actor = pong_listener::extend<caf::reacts_to<serve>>;

/// Opens `done` after each `expected` notes.
struct reader_state {
  explicit reader_state(reader_actor::pointer /*owner*/) {}

  void on(const note& news);

  gate* done = nullptr;
  std::uint64_t expected = 0;
  std::uint64_t seen = 0;
};

struct writer_state {
  explicit writer_state(writer_actor::pointer owner) : self{owner} {}

  void on(const write_notes& request);

  writer_actor::pointer self;
  reader_actor reader;
};

struct pinger_state {
  explicit pinger_state(pinger_actor::pointer owner) : self{owner} {}

  void on(const serve& request);
  void on(const pong& news);

  pinger_actor::pointer self;
  ponger_actor partner;
  gate* done = nullptr;
};

struct ponger_state {
  explicit ponger_state(ponger_actor::pointer owner) : self{owner} {}

  void on(const ping& news, const pong_listener& from);

  ponger_actor::pointer self;
};

reader_actor::behavior_type run_reader(reader_actor::stateful_pointer<reader_state> self,
                                       gate* done, std::uint64_t expected);
writer_actor::behavior_type run_writer(writer_actor::stateful_pointer<writer_state> self,
                                       reader_actor reader);
pinger_actor::behavior_type run_pinger(pinger_actor::stateful_pointer<pinger_state> self,
                                       ponger_actor partner, gate* done);
ponger_actor::behavior_type run_ponger(ponger_actor::stateful_pointer<ponger_state> self, int);

// CAF's: dynamic actors, atoms and numbers.

caf::behavior read_plainly(caf::event_based_actor* self, gate* done, std::uint64_t expected);
caf::behavior write_plainly(caf::event_based_actor* self, const caf::actor& reader);
caf::behavior ping_plainly(caf::event_based_actor* self, const caf::actor& partner, gate* done);
caf::behavior pong_plainly(caf::event_based_actor* self, int);

/// How the benchmarks make and start either.
struct our_actors {
  static constexpr const char* name = "replicant";
  static constexpr auto reader = run_reader;
  static constexpr auto writer = run_writer;
  static constexpr auto pinger = run_pinger;
  static constexpr auto ponger = run_ponger;

  static void write(const writer_actor& to, std::uint64_t count) {
    caf::anon_send(to, write_notes{count});
  }

  static void play(const pinger_actor& to, std::uint64_t rounds) {
    caf::anon_send(to, serve{rounds});
  }
};

struct plain_actors {
  static constexpr const char* name = "raw_caf";
  static constexpr auto reader = read_plainly;
  static constexpr auto writer = write_plainly;
  static constexpr auto pinger = ping_plainly;
  static constexpr auto ponger = pong_plainly;

  static void write(const caf::actor& to, std::uint64_t count) {
    caf::anon_send(to, caf::get_atom::value, count);
  }

  static void play(const caf::actor& to, std::uint64_t rounds) {
    caf::anon_send(to, caf::get_atom::value, rounds);
  }
};

} // namespace replicant::bench
