// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/checkpoint_view.hpp"

#include "replicant/actors/cli/text_table.hpp"
#include "replicant/actors/fault_fields.hpp"
#include "replicant/actors/json_line.hpp"
#include "replicant/actors/readable.hpp"
#include "replicant/actors/sinks/jsonl/readable_file.hpp"
#include "replicant/core/delivery/start_plan.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

namespace replicant::cli {

namespace {

using json = nlohmann::ordered_json;

const inspected_file* file_of(const checkpoint_view& one) {
  return one.sink && *one.sink ? &**one.sink : nullptr;
}

const postgres::tabled_checkpoint* row_in_store(const checkpoint_view& one) {
  return one.store && *one.store && (*one.store)->stored.source ? &**one.store : nullptr;
}

/// Whose stream it holds, as far as it can be read.
std::optional<session_identity> source_of(const checkpoint_view& one) {
  if (const auto* const row = row_in_store(one))
    return row->stored.source;
  const auto* const file = file_of(one);
  return file != nullptr ? file->source : std::nullopt;
}

/// How much is remembered beside the position.
std::optional<std::uint64_t> state_entries_of(const checkpoint_view& one) {
  if (const auto* const row = row_in_store(one))
    return row->stored.held.state.size();
  const auto* const file = file_of(one);
  return file != nullptr ? std::optional<std::uint64_t>{file->state_entries} : std::nullopt;
}

std::optional<lsn> confirmed_of(const checkpoint_view& one) {
  const auto& told = one.slot.told;
  return told && told->slot ? told->slot->confirmed : std::nullopt;
}

/// A file that is not there yet is not unreadable.
std::optional<fault> why_unreadable(const checkpoint_view& one) {
  if (one.store && !*one.store)
    return one.store->error();
  if (!one.sink || *one.sink || is_absence(one.sink->error()))
    return std::nullopt;
  return one.sink->error();
}

/// How much WAL lies between what the sink has and what the slot was told: after a crash, what is
/// sent again and left out.
std::optional<std::uint64_t> ahead_of_slot(const checkpoint_view& one) {
  const auto durable = durable_of(one);
  const auto confirmed = confirmed_of(one);
  if (!durable || !confirmed)
    return std::nullopt;
  return wal_bytes_between(*confirmed, durable->acknowledged());
}

std::optional<std::uint64_t> behind_server(const checkpoint_view& one) {
  const auto durable = durable_of(one);
  if (!durable || !one.slot.told || one.slot.told->wal_position == lsn{})
    return std::nullopt;
  return wal_bytes_between(durable->acknowledged(), one.slot.told->wal_position);
}

/// What a start would say of a position of the sink and a slot that can be used, or of one that is
/// not there.
std::optional<fault> gap_of(const checkpoint_view& one) {
  const auto durable = durable_of(one);
  if (!durable || !one.slot.told || why_unusable(one.slot))
    return std::nullopt;
  source_facts facts;
  facts.identity.database = one.slot.told->database;
  // The sink was asked later than the server, so what it holds may lie behind that end of the WAL.
  facts.wal_position = lsn{std::numeric_limits<std::uint64_t>::max()};
  facts.slot = one.slot.told->slot;
  if (facts.slot)
    facts.slot->active_pid = 0; // Who uses it proves nothing.
  const auto plan = plan_start(facts, {.memory = sink_memory::position, .durable = *durable}, true,
                               {.go_forward_only = true});
  return plan ? std::nullopt : std::optional{plan.error()};
}

std::string sink_state(const checkpoint_view& one) {
  if (one.store && (!*one.store || row_in_store(one) == nullptr))
    return *one.store ? "no row in its store yet" : "its store is unreadable";
  if (!one.sink && !one.store)
    return "keeps no position";
  if (one.sink && !*one.sink)
    return why_unreadable(one) ? "unreadable" : "no file yet";
  return durable_of(one) ? "holds a position" : "no position yet";
}

std::string size_or_dash(const std::optional<std::uint64_t>& bytes) {
  return bytes ? readable_size(*bytes) : "-";
}

text_row row_of(const checkpoint_view& one) {
  const auto* const file = file_of(one);
  const auto* const row = row_in_store(one);
  const auto entries = state_entries_of(one);
  const auto durable = durable_of(one);
  const auto confirmed = confirmed_of(one);
  return {one.slot.pipeline,
          sink_state(one),
          durable ? to_string(durable->position()) : "-",
          file != nullptr ? readable_size(file->length) : "-",
          file != nullptr ? readable_size(file->torn) : "-",
          file != nullptr ? std::to_string(file->archives.size()) : "-",
          row != nullptr ? row->updated_at : "-",
          entries ? std::to_string(*entries) : "-",
          one.slot.slot_name,
          confirmed ? to_string(*confirmed) : "-",
          size_or_dash(ahead_of_slot(one)),
          size_or_dash(behind_server(one))};
}

json archives_of(const inspected_file& file) {
  json archives = json::array();
  for (const auto& archive : file.archives)
    archives.push_back({{"path", archive.path}, {"start", to_string(archive.start.position())}});
  return archives;
}

json number(const std::optional<std::uint64_t>& value) {
  return value ? json(*value) : json{};
}

json object_of(const checkpoint_view& one) {
  const auto* const file = file_of(one);
  const auto* const row = row_in_store(one);
  const auto durable = durable_of(one);
  const auto confirmed = confirmed_of(one);
  const auto source = source_of(one);
  json to{{"pipeline", one.slot.pipeline}, {"sink", sink_state(one)}};
  to["system_identifier"] = source ? json(source->system_identifier) : json{};
  to["database"] = source ? json(source->database) : json{};
  to["sink_slot_name"] = source ? json(source->slot_name) : json{};
  to["durable"] = durable ? json(to_string(durable->position())) : json{};
  const auto start = file != nullptr ? file->start : std::nullopt;
  to["file_start"] = start ? json(to_string(start->position())) : json{};
  to["file_bytes"] = file != nullptr ? json(file->length) : json{};
  to["state_entries"] = number(state_entries_of(one));
  to["torn_bytes"] = file != nullptr ? json(file->torn) : json{};
  to["archives"] = file != nullptr ? archives_of(*file) : json{};
  to["in_store"] = one.store.has_value();
  to["updated_at"] = row != nullptr ? json(row->updated_at) : json{};
  to["slot_name"] = one.slot.slot_name;
  to["confirmed_flush_lsn"] = confirmed ? json(to_string(*confirmed)) : json{};
  to["ahead_of_slot_bytes"] = number(ahead_of_slot(one));
  to["behind_server_bytes"] = number(behind_server(one));
  to.update(fault_fields(fault_of(one)));
  const auto of_slot = fault_fields(why_unusable(one.slot));
  for (const auto& [name, value] : of_slot.items())
    to["slot_" + name] = value;
  return to;
}

} // namespace

std::optional<watermark> durable_of(const checkpoint_view& one) {
  if (const auto* const row = row_in_store(one)) {
    const auto& held = row->stored.held;
    return held.memory == sink_memory::position ? std::optional{held.durable} : std::nullopt;
  }
  const auto* const file = file_of(one);
  return file != nullptr ? file->durable : std::nullopt;
}

std::optional<fault> fault_of(const checkpoint_view& one) {
  const auto unreadable = why_unreadable(one);
  return unreadable ? unreadable : gap_of(one);
}

std::string checkpoint_document(const std::vector<checkpoint_view>& all) {
  json document{{"format", 1}, {"checkpoints", json::array()}};
  for (const auto& one : all)
    document["checkpoints"].push_back(object_of(one));
  return json_line(document);
}

std::string checkpoint_table(const std::vector<checkpoint_view>& all) {
  std::vector<text_row> rows{{"PIPELINE", "SINK", "DURABLE", "FILE", "TORN", "CLOSED FILES",
                              "STORED", "STATE", "SLOT", "CONFIRMED", "AHEAD OF SLOT",
                              "BEHIND SERVER"}};
  std::string remarks;
  for (const auto& one : all) {
    rows.push_back(row_of(one));
    for (const auto& found : {fault_of(one), why_unusable(one.slot)})
      if (found)
        remarks += remark_on(one.slot.pipeline, *found);
  }
  return aligned(rows) + remarks;
}

exit_code judge_checkpoints(const std::vector<checkpoint_view>& all) {
  const auto is_wrong = [](const checkpoint_view& one) {
    return fault_of(one) || (one.slot.told && why_unusable(one.slot));
  };
  return std::ranges::any_of(all, is_wrong) ? exit_code::needs_person : exit_code::fine;
}

} // namespace replicant::cli
