// SPDX-License-Identifier: MIT
#include "replicant/core/telemetry/pipeline_counts.hpp"

namespace replicant {

void pipeline_counts::add(const telemetry_event& what) {
  ++events_[static_cast<std::size_t>(what.kind)];
  if (what.kind == event_kind::made_durable) {
    latency_.add(static_cast<std::uint64_t>(what.duration.count()));
    batches_.add(what.count);
  } else if (what.kind == event_kind::assembled) {
    assembled_transactions_ += what.count;
    assembled_changes_ += what.changes;
  } else if (what.kind == event_kind::generation_lost) {
    ++retries_[static_cast<std::size_t>(what.failure.why)];
  }
}

} // namespace replicant
