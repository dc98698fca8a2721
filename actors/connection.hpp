// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/interfaces.hpp"
#include "replicant/core/delivery/read_pace.hpp"
#include "replicant/core/delivery/slow_sink.hpp"
#include "replicant/core/delivery/start_plan.hpp"
#include "replicant/core/delivery/stream_control.hpp"
#include "replicant/core/protocol/replication_source.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

namespace replicant {

/// What a CONNECTION is given by its pipeline.
struct connection_setup {
  generation_listener pipeline;
  assembler_actor assembler;
  sink_actor sink;
  std::shared_ptr<replication_source> source; ///< Closed with this actor.
  start_conditions conditions;
  std::uint64_t max_inflight_bytes = 0;
  bool streaming = false; ///< Large transactions are asked for while they are open.
  std::uint32_t patience = 1;
  slow_sink_policy on_slow_sink = slow_sink_policy::pace;
  run_memory remembered{};
};

/// What the CONNECTION actor owns: one replication connection from the connect chain to its end.
///
/// The chain blocks (before there is a stream, nobody waits for a reply); the stream never does.
struct connection_state {
  static constexpr const char* name = "replicant.connection";

  explicit connection_state(connection_actor::pointer owner) : self{owner} {}

  void on(const begin_generation& request);
  void on(const source_ready& request);
  void on(const assembled& news);
  void on(const durable& news);
  void on(const drain& request);
  void on(const drained& news);
  void on(const tick& request);

  connection_actor::pointer self;
  connection_setup setup;

private:
  // The connect chain, in order.
  void plan(const session_opened& opened);
  void prepare(const start_plan& chosen);
  void stream(const start_plan& chosen);

  // The stream.
  void look();
  void read_on();
  void pump();
  result<void> read_chunk(moment now);
  result<void> send_status(moment now);
  [[nodiscard]] bool flows() const;
  void wait_for_more(moment now);
  void pass_on(moment now);
  void report(moment now);
  [[nodiscard]] stream_reported stream_state() const;
  void tell_stream_state(moment now);
  void ask_of_slot(moment now);
  void arm();

  void give_up(const fault& what);

  source_facts facts_;
  schema_memory known_;                   ///< From the sink; given away to the stream.
  std::optional<stream_control> control_; ///< Engaged while streaming.
  bool draining_ = false;
  read_pace pace_{std::chrono::microseconds{0}};
  bool continues_ = false;    ///< A message of our own to read on is under way.
  bool drained_ = false;      ///< The socket was empty when it was last read, and nobody rests.
  std::optional<bool> armed_; ///< Readiness is watched, with or without data to read.
  std::optional<moment>
    rests_until_; ///< Nobody watches: the sink is at work, and tells when it is done.
  stream_reported told_;
  assembly_news untold_; ///< What has become of transactions since.
  assembled assembly_;   ///< What the assembler said last.
  moment told_at_{};
  moment looked_at_{};    ///< When there was last something to tell, or was not.
  moment ask_again_at_{}; ///< When the server is asked of the slot next.
  std::uint64_t timer_epoch_ = 0;
  std::optional<moment> timer_at_;
};

connection_actor::behavior_type
run_connection(connection_actor::stateful_pointer<connection_state> self, connection_setup setup);

} // namespace replicant
