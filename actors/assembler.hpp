// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/interfaces.hpp"
#include "replicant/core/assembly/assembler.hpp"
#include "replicant/core/assembly/spill.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <cstdint>
#include <memory>
#include <optional>

namespace replicant {

/// How transactions that are still open are taken.
struct open_settings {
  bool streaming = false; ///< The source is asked for them before their commit.
  std::uint32_t max_concurrent_txns = 64;
  spill_area_factory make_spill_area{}; ///< Empty: nothing is spilled.
};

/// What an ASSEMBLER is given by its pipeline.
struct assembler_setup {
  generation_listener pipeline;
  sink_actor sink;
  std::uint64_t max_inflight_bytes = 0;
  open_settings open{};
};

/// What the ASSEMBLER actor owns: the fold over one stream, and its spill files.
struct assembler_state {
  static constexpr const char* name = "replicant.assembler";

  explicit assembler_state(assembler_actor::pointer owner) : self{owner} {}

  void on(const begin_assembly& request);
  void on(const assemble& request, const delivery_listener& from);

  assembler_actor::pointer self;
  assembler_setup setup;

private:
  std::shared_ptr<spill_area> spill_;
  std::optional<stream_assembler> fold_;
};

assembler_actor::behavior_type
run_assembler(assembler_actor::stateful_pointer<assembler_state> self, assembler_setup setup);

} // namespace replicant
