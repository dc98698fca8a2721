// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/status_document.hpp"

#include "replicant/actors/fault_fields.hpp"
#include "replicant/actors/json_line.hpp"
#include "replicant/actors/readable.hpp"
#include "replicant/actors/slot_fields.hpp"
#include "replicant/core/delivery/slot_watch.hpp"
#include "replicant/core/model/schema_change.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace replicant::cli {

namespace {

using json = nlohmann::ordered_json;

json moment(timestamp when) {
  return when == timestamp{} ? json{} : json(to_string(when));
}

json position(lsn at) {
  return at == lsn{} ? json{} : json(to_string(at));
}

/// By what a change of a table is accepted, in parts that can be read back; null for other faults.
json schema_change_of(const std::optional<fault>& what) {
  if (!what || what->why != reason::schema_change_destructive)
    return {};
  json told{{"relation", what->relation}, {"kind", {}}, {"fingerprint", {}}};
  if (const auto kind = find_fact(*what, fact_kind::schema_change))
    told["kind"] = to_string(static_cast<schema_change_kind>(*kind));
  if (const auto print = find_fact(*what, fact_kind::fingerprint))
    told["fingerprint"] = fingerprint_text(*print);
  return told;
}

/// A field that holds text; empty for any other.
std::string text_in(const json& of, const char* name) {
  const auto found = of.find(name);
  return found != of.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

/// The fault that `schema_change_of` told of; nothing without a fingerprint.
std::optional<fault> schema_fault_in(const json& pipeline) {
  const auto change = pipeline.find("schema_change");
  if (change == pipeline.end() || !change->is_object())
    return std::nullopt;
  const auto print = parse_fingerprint(text_in(*change, "fingerprint"));
  const auto relation = change->find("relation");
  if (!print || relation == change->end() || !relation->is_number_unsigned())
    return std::nullopt;
  const auto kind = parse_schema_change_kind(text_in(*change, "kind"));
  if (!kind)
    return std::nullopt;
  return fault{.why = reason::schema_change_destructive,
               .at = parse_lsn(text_in(pipeline, "fault_position")).value_or(lsn{}),
               .relation = relation->get<std::uint32_t>(),
               .facts = {{{fact_kind::schema_change, static_cast<std::uint64_t>(*kind)},
                          {fact_kind::fingerprint, *print}}}};
}

json one_pipeline(const pipeline_status& of) {
  json one;
  one["name"] = of.name;
  one["slot_name"] = of.slot_name;
  one["state"] = to_string(of.phase);
  one["since"] = moment(of.phase_since);
  one.update(fault_fields(of.last_fault));
  one["schema_change"] = schema_change_of(of.last_fault);
  one["durable"] = position(of.durable.position());
  one["acknowledged"] = position(of.acknowledged);
  one["received_end"] = position(of.received_end);
  one["lag_bytes"] = of.lag_bytes;
  one["in_flight_bytes"] = of.in_flight_bytes;
  one["open_transactions"] = of.open_transactions;
  one["open_bytes"] = of.open_bytes;
  one["spilled_bytes"] = of.spilled_bytes;
  one["paced"] = of.paced;
  one["store_failures"] = of.store_failures;
  one["last_commit_time"] = moment(of.last_commit_time);
  one["transactions"] = of.transactions;
  one["changes"] = of.changes;
  one["bytes"] = of.bytes;
  one["messages"] = of.messages;
  one["streamed"] = of.streamed;
  one["rolled_back"] = of.rolled_back;
  one["spills"] = of.spills;
  one["spill_written_bytes"] = of.spill_written;
  one["reconnects"] = of.reconnects;
  one["server_version"] =
    of.server_version == 0 ? json{} : json(readable_server_version(of.server_version));
  one["slot"] = of.slot ? slot_fields(*of.slot) : json{};
  one["slot_asked_at"] = of.slot ? moment(of.slot_asked_at) : json{};
  one["slot_warning"] =
    of.slot && judge(*of.slot) != slot_risk::none ? json(readable_slot_risk(*of.slot)) : json{};
  return one;
}

json empty_document() {
  return json{{"format", 1}, {"pipelines", json::array()}};
}

/// The pipelines of a document; null when it is none.
json pipelines_of(std::string_view document) {
  const auto parsed = json::parse(document, nullptr, false);
  if (!parsed.is_object() || !parsed.contains("pipelines"))
    return {};
  const auto& pipelines = parsed["pipelines"];
  const auto is_object = [](const auto& one) { return one.is_object(); };
  return pipelines.is_array() && std::ranges::all_of(pipelines, is_object) ? pipelines : json{};
}

} // namespace

std::string status_document(const std::vector<pipeline_status>& pipelines) {
  auto document = empty_document();
  for (const auto& one : pipelines)
    document["pipelines"].push_back(one_pipeline(one));
  return json_line(document);
}

std::string join_documents(const std::vector<std::string>& documents) {
  auto joined = empty_document();
  for (const auto& document : documents)
    for (const auto& one : pipelines_of(document))
      joined["pipelines"].push_back(one);
  return json_line(joined);
}

std::optional<pipeline_status> schema_halt_in(std::string_view document) {
  const auto pipelines = pipelines_of(document);
  if (pipelines.empty() || text_in(pipelines[0], "state") != to_string(pipeline_phase::halted))
    return std::nullopt;
  const auto& one = pipelines[0];
  auto why = schema_fault_in(one);
  if (!why)
    return std::nullopt;
  pipeline_status told{.name = text_in(one, "name"),
                       .slot_name = text_in(one, "slot_name"),
                       .phase = pipeline_phase::halted,
                       .last_fault = why};
  told.phase_since = parse_timestamp(text_in(one, "since")).value_or(timestamp{});
  told.acknowledged = parse_lsn(text_in(one, "acknowledged")).value_or(lsn{});
  told.received_end = parse_lsn(text_in(one, "received_end")).value_or(lsn{});
  if (const auto durable = parse_lsn(text_in(one, "durable")))
    told.durable = watermark::through(*durable);
  return told;
}

std::vector<std::string> pipeline_names(std::string_view document) {
  std::vector<std::string> names;
  for (const auto& one : pipelines_of(document))
    if (const auto name = one.find("name"); name != one.end() && name->is_string())
      names.push_back(*name);
  return names;
}

verdict judge(std::string_view document) {
  const auto pipelines = pipelines_of(document);
  if (pipelines.is_null())
    return verdict::unreadable;
  const auto halted = to_string(pipeline_phase::halted);
  const auto is_halted = [halted](const auto& one) {
    return one.contains("state") && one["state"] == halted;
  };
  return std::ranges::any_of(pipelines, is_halted) ? verdict::halted : verdict::fine;
}

} // namespace replicant::cli
