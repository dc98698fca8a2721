// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/delivery/state_entry.hpp"
#include "replicant/core/delivery/watermark.hpp"
#include "replicant/core/model/result.hpp"
#include "replicant/core/protocol/replication_source.hpp"

#include <cstdint>
#include <span>

namespace replicant {

/// The timeline on which a watermark was reached, or that leads through it.
struct timeline_memory {
  std::uint32_t timeline = 0; ///< 0: not known, so nothing can be judged by it.

  friend bool operator==(timeline_memory, timeline_memory) = default;
};

/// Judges whether what `durable` promises lies in the past of this server: whether it is still on
/// the same timeline, or its history proves that it left that timeline behind `durable`.
/// @returns what is to be remembered when the stream has begun. A standby may be promoted while it
/// streams, and nobody would be told: of a server in recovery nothing is remembered.
/// @fault diverged.
[[nodiscard]] result<timeline_memory> judge_timeline(const source_facts& facts, watermark durable,
                                                     timeline_memory remembered);

/// As an entry beside the position; nothing of a timeline that is not known.
[[nodiscard]] state_entry state_of(timeline_memory remembered);

/// What the entries tell; not known when none does.
/// @fault sink_unreadable for an entry that `state_of` does not make.
[[nodiscard]] result<timeline_memory> timeline_in(std::span<const state_entry> state);

} // namespace replicant
