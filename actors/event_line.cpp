// SPDX-License-Identifier: MIT
#include "replicant/actors/event_line.hpp"

#include "replicant/actors/fault_fields.hpp"
#include "replicant/actors/readable.hpp"
#include "replicant/actors/slot_fields.hpp"

namespace replicant {

namespace {

using json = nlohmann::ordered_json;
using line = event_line;

void add_fault(line& to, const fault& what) {
  to.fields.update(fault_fields(what));
  to.text.append(readable_fault(what));
}

void add_unidentified(line& to, const telemetry_event& what) {
  to.text = readable_identity_missing(what);
  if (what.table.empty()) {
    to.fields["tables"] = what.count;
    return;
  }
  to.fields["table"] = what.table;
  to.fields["cure"] = identity_cure(what.table);
}

void add_schema_change(line& to, std::string_view verdict, const schema_change* what) {
  if (what == nullptr)
    return;
  to.fields["schema"] = what->after->schema;
  to.fields["table"] = what->after->name;
  auto& changes = to.fields["changes"] = json::array();
  for (const auto& one : what->differences) {
    json said{{"change", to_string(one.kind)}};
    if (!one.column.empty())
      said["column"] = one.column;
    changes.push_back(std::move(said));
  }
  to.fields["position"] = to_string(what->at);
  to.text.append(verdict).append(printable(to_string(*what)));
}

void add_position(line& to, std::string_view before, lsn position) {
  to.fields["position"] = to_string(position);
  to.text.append(before).append(to_string(position));
}

void add_slot_risk(line& to, const slot_standing* slot) {
  if (slot == nullptr)
    return;
  to.fields.update(slot_fields(*slot));
  to.fields["cure"] = slot_cure();
  to.text = readable_slot_risk(*slot);
}

/// Adds a field, and for people the number and what it counts.
void add_count(line& to, const char* field, std::uint64_t count, std::string_view what) {
  to.fields[field] = count;
  to.text.append(to.text.empty() ? "" : ", ").append(std::to_string(count)).append(what);
}

void add_duration(line& to, const telemetry_event& what) {
  to.fields["duration_us"] = what.duration.count();
  to.text.append(" in ").append(std::to_string(what.duration.count())).append(" us");
}

/// What is told again and again while a stream runs.
void describe_routine(line& to, const telemetry_event& what) {
  switch (what.kind) {
    case event_kind::assembled:
      add_count(to, "transactions", what.count, " transactions");
      add_count(to, "changes", what.changes, " rows have become whole");
      break;
    case event_kind::made_durable:
      add_count(to, "transactions", what.count, " transactions");
      add_count(to, "changes", what.changes, " rows");
      add_count(to, "bytes", what.bytes, " bytes are durable");
      add_duration(to, what);
      add_position(to, ", up to ", what.position);
      break;
    case event_kind::idle_advanced:
      add_position(to, "nothing is published up to ", what.position);
      break;
    case event_kind::messages_taken:
      add_count(to, "messages", what.count, " messages");
      add_count(to, "bytes", what.bytes, " bytes are durable");
      break;
    case event_kind::acknowledged: add_position(to, "acknowledged ", what.position); break;
    default: break;
  }
}

/// What is told of tables.
void describe_table(line& to, const telemetry_event& what) {
  switch (what.kind) {
    case event_kind::identity_missing: add_unidentified(to, what); break;
    case event_kind::schema_changed:
      add_schema_change(to, "a table has changed: ", what.change);
      break;
    case event_kind::schema_refused:
      add_schema_change(to, "a table has changed, and the sink does not take it: ", what.change);
      break;
    default: break;
  }
}

/// What is told of where the position is kept: the checkpoint store, or the sink itself.
void describe_store(line& to, const telemetry_event& what) {
  switch (what.kind) {
    case event_kind::store_retrying:
      to.fields["failures"] = what.count;
      to.text = "the checkpoint store failed, and is tried again; nothing is delivered meanwhile: ";
      add_fault(to, what.failure);
      break;
    case event_kind::store_recovered: to.text = "the checkpoint store answers again"; break;
    case event_kind::tail_cut:
      to.fields["bytes"] = what.count;
      to.text = "cut " + std::to_string(what.count) +
                " bytes off the end of the sink's file: its last writer did not finish them, and "
                "they come again";
      break;
    case event_kind::sink_failed:
      to.text = "what the sink was handed is given up";
      add_duration(to, what);
      to.text.append(": ");
      add_fault(to, what.failure);
      break;
    default: break;
  }
}

void describe_slot(line& to, const telemetry_event& what) {
  switch (what.kind) {
    case event_kind::slot_created:
      add_position(to, "made its slot, consistent at ", what.position);
      break;
    case event_kind::slot_at_risk: add_slot_risk(to, what.slot); break;
    default: break;
  }
}

/// "1 transaction", "2 transactions".
std::string transactions(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " transaction" : " transactions");
}

void describe_spilled(line& to, const telemetry_event& what) {
  to.fields["transactions"] = what.count;
  to.fields["bytes"] = what.bytes;
  const auto written = readable_size(what.bytes);
  to.text = what.count > 0 ? transactions(what.count) + " more outgrew memory while open, and " +
                               written + " went to disk; they go on there until they end"
                           : written + " more of open transactions went to disk";
}

/// What is told of transactions that are taken while they are open.
void describe_open(line& to, const telemetry_event& what) {
  switch (what.kind) {
    case event_kind::spilled: describe_spilled(to, what); break;
    case event_kind::spill_exhausted:
      to.fields["limit"] = what.bytes;
      to.text = "open transactions outgrew memory, and would outgrow the " +
                readable_size(what.bytes) + " that they may have on disk";
      break;
    case event_kind::rolled_back:
      to.fields["transactions"] = what.count;
      to.text = "rolled back while they were taken: " + transactions(what.count);
      break;
    default: break;
  }
}

void describe(line& to, const telemetry_event& what) {
  switch (what.kind) {
    case event_kind::connecting:
      to.fields["generation"] = what.count;
      to.text = "connecting";
      break;
    case event_kind::connected:
      to.fields["server_version"] = readable_server_version(what.count);
      to.text = "connected to PostgreSQL " + readable_server_version(what.count);
      break;
    case event_kind::streaming: add_position(to, "streaming from ", what.position); break;
    case event_kind::paced:
      to.fields["in_flight_bytes"] = what.count;
      to.text = "reading rests, the sink has " + readable_size(what.count) + " to make durable";
      break;
    case event_kind::resumed: to.text = "reading goes on"; break;
    case event_kind::server_leaving:
      to.text = "the server ended a session of ours; letting go, so that it can shut down";
      break;
    case event_kind::generation_lost:
      to.fields["delay_ms"] = what.delay.count();
      to.text = "interrupted, next attempt in " + std::to_string(what.delay.count()) + " ms: ";
      add_fault(to, what.failure);
      break;
    case event_kind::halted:
      to.text = "HALTED: ";
      add_fault(to, what.failure);
      break;
    case event_kind::stopped:
      to.text = "stopped";
      if (what.position != lsn{})
        add_position(to, ", acknowledged ", what.position);
      break;
    case event_kind::assembled:
    case event_kind::made_durable:
    case event_kind::idle_advanced:
    case event_kind::messages_taken:
    case event_kind::acknowledged: describe_routine(to, what); break;
    case event_kind::identity_missing:
    case event_kind::schema_changed:
    case event_kind::schema_refused: describe_table(to, what); break;
    case event_kind::store_retrying:
    case event_kind::store_recovered:
    case event_kind::tail_cut:
    case event_kind::sink_failed: describe_store(to, what); break;
    case event_kind::slot_created:
    case event_kind::slot_at_risk: describe_slot(to, what); break;
    case event_kind::spilled:
    case event_kind::spill_exhausted:
    case event_kind::rolled_back: describe_open(to, what); break;
    case event_kind::disconnected: to.text = "disconnected"; break;
  }
}

} // namespace

severity severity_of(const telemetry_event& what) {
  switch (what.kind) {
    case event_kind::connecting:
    case event_kind::connected:
    case event_kind::slot_created:
    case event_kind::streaming:
    case event_kind::stopped:
    case event_kind::tail_cut:
    case event_kind::store_recovered:
    case event_kind::schema_changed: return severity::info;
    // Under a slow sink these two take turns many times in a second.
    case event_kind::paced:
    case event_kind::resumed:
    // What follows from these two is told by others.
    case event_kind::sink_failed:
    case event_kind::disconnected:
    case event_kind::rolled_back: return severity::debug;
    case event_kind::assembled:
    case event_kind::made_durable:
    case event_kind::idle_advanced:
    case event_kind::messages_taken:
    case event_kind::acknowledged: return severity::trace;
    // A large transaction spills thousands of times: that it begins to is worth a line.
    case event_kind::spilled: return what.count > 0 ? severity::info : severity::debug;
    case event_kind::spill_exhausted:
    case event_kind::server_leaving:
    case event_kind::generation_lost:
    case event_kind::identity_missing:
    case event_kind::store_retrying:
    case event_kind::schema_refused:
    case event_kind::slot_at_risk: return severity::warning;
    case event_kind::halted: return severity::error;
  }
  return severity::error;
}

event_line line_of(const telemetry_event& what) {
  line told{.level = severity_of(what), .pipeline = what.pipeline, .event = to_string(what.kind)};
  describe(told, what);
  return told;
}

} // namespace replicant
