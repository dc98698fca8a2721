// SPDX-License-Identifier: MIT
#include "replicant/core/telemetry/observer.hpp"

namespace replicant {

std::string_view to_string(event_kind kind) {
  switch (kind) {
    case event_kind::connecting: return "connecting";
    case event_kind::connected: return "connected";
    case event_kind::slot_created: return "slot_created";
    case event_kind::streaming: return "streaming";
    case event_kind::paced: return "paced";
    case event_kind::resumed: return "resumed";
    case event_kind::server_leaving: return "server_leaving";
    case event_kind::generation_lost: return "generation_lost";
    case event_kind::halted: return "halted";
    case event_kind::stopped: return "stopped";
    case event_kind::identity_missing: return "identity_missing";
    case event_kind::tail_cut: return "tail_cut";
    case event_kind::schema_changed: return "schema_changed";
    case event_kind::schema_refused: return "schema_refused";
    case event_kind::store_retrying: return "store_retrying";
    case event_kind::store_recovered: return "store_recovered";
    case event_kind::assembled: return "assembled";
    case event_kind::made_durable: return "made_durable";
    case event_kind::idle_advanced: return "idle_advanced";
    case event_kind::messages_taken: return "messages_taken";
    case event_kind::acknowledged: return "acknowledged";
    case event_kind::sink_failed: return "sink_failed";
    case event_kind::disconnected: return "disconnected";
    case event_kind::slot_at_risk: return "slot_at_risk";
    case event_kind::spilled: return "spilled";
    case event_kind::spill_exhausted: return "spill_exhausted";
    case event_kind::rolled_back: return "rolled_back";
  }
  return "unknown";
}

} // namespace replicant
