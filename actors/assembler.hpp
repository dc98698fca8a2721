// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/interfaces.hpp"
#include "replicant/core/assembly/assembler.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <optional>

namespace replicant {

/// What the ASSEMBLER actor owns: the fold over one stream.
struct assembler_state {
  static constexpr const char* name = "replicant.assembler";

  explicit assembler_state(assembler_actor::pointer owner) : self{owner} {}

  void on(const begin_assembly& request) {
    fold_.emplace(request.resume, request.tell_origin, request.known);
  }

  void on(const assemble& request, const delivery_listener& from);

  assembler_actor::pointer self;
  generation_listener pipeline;
  sink_actor sink;

private:
  std::optional<stream_assembler> fold_;
};

assembler_actor::behavior_type
run_assembler(assembler_actor::stateful_pointer<assembler_state> self, generation_listener pipeline,
              sink_actor sink);

} // namespace replicant
