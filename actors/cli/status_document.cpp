// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/status_document.hpp"

#include "replicant/actors/fault_fields.hpp"
#include "replicant/actors/json_line.hpp"
#include "replicant/actors/readable.hpp"
#include "replicant/core/delivery/slot_watch.hpp"

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

json standing(const std::optional<slot_standing>& of) {
  if (!of)
    return {};
  return {{"wal_status", to_string(of->wal_status)},
          {"retained_bytes", of->retained_bytes},
          {"limit_bytes", of->limit_bytes ? json(*of->limit_bytes) : json{}},
          {"safe_wal_size", of->safe_bytes ? json(*of->safe_bytes) : json{}}};
}

json one_pipeline(const pipeline_status& of) {
  json one;
  one["name"] = of.name;
  one["slot_name"] = of.slot_name;
  one["state"] = to_string(of.phase);
  one["since"] = moment(of.phase_since);
  one.update(fault_fields(of.last_fault));
  one["durable"] = position(of.durable.position());
  one["acknowledged"] = position(of.acknowledged);
  one["received_end"] = position(of.received_end);
  one["lag_bytes"] = of.lag_bytes;
  one["in_flight_bytes"] = of.in_flight_bytes;
  one["paced"] = of.paced;
  one["last_commit_time"] = moment(of.last_commit_time);
  one["transactions"] = of.transactions;
  one["changes"] = of.changes;
  one["bytes"] = of.bytes;
  one["messages"] = of.messages;
  one["reconnects"] = of.reconnects;
  one["server_version"] =
    of.server_version == 0 ? json{} : json(readable_server_version(of.server_version));
  one["slot"] = standing(of.slot);
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
