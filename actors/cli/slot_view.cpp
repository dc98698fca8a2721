// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/slot_view.hpp"

#include "replicant/actors/cli/text_table.hpp"
#include "replicant/actors/fault_fields.hpp"
#include "replicant/actors/json_line.hpp"
#include "replicant/actors/readable.hpp"
#include "replicant/core/delivery/start_plan.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <future>

namespace replicant::cli {

namespace {

using json = nlohmann::ordered_json;

result<postgres::slot_report> ask(const pipeline_settings& pipeline) {
  auto session = postgres::slot_session::open(pipeline.conninfo);
  if (!session)
    return failure(session.error());
  return session->report(pipeline.slot_name);
}

/// The slot, if the server told one.
const slot_facts* facts_of(const slot_view& slot) {
  return slot.told && slot.told->slot ? &*slot.told->slot : nullptr;
}

std::string state_of(const slot_view& slot) {
  if (const auto problem = why_unusable(slot))
    return std::string{to_string(problem->why)};
  const auto* const facts = facts_of(slot);
  if (facts == nullptr)
    return "missing";
  return facts->active_pid != 0 ? "in use" : "ready";
}

std::string text_or_dash(const std::string& text) {
  return text.empty() ? "-" : printable(text);
}

std::string position_or_dash(const std::optional<lsn>& at) {
  return at ? to_string(*at) : "-";
}

json position(const std::optional<lsn>& at) {
  return at ? json(to_string(*at)) : json{};
}

text_row row_of(const slot_view& slot) {
  const auto* const facts = facts_of(slot);
  const auto known = facts != nullptr ? *facts : slot_facts{};
  const auto retained = retained_bytes(slot);
  return {slot.pipeline,
          slot.slot_name,
          state_of(slot),
          known.active_pid == 0 ? "-" : std::to_string(known.active_pid),
          text_or_dash(known.plugin),
          text_or_dash(known.database),
          position_or_dash(known.restart),
          position_or_dash(known.confirmed),
          text_or_dash(known.wal_status),
          retained ? readable_size(*retained) : "-"};
}

json object_of(const slot_view& slot) {
  const auto* const facts = facts_of(slot);
  const auto known = facts != nullptr ? *facts : slot_facts{};
  const auto text = [](const std::string& value) { return value.empty() ? json{} : json(value); };
  const auto retained = retained_bytes(slot);
  json one{{"pipeline", slot.pipeline}, {"slot_name", slot.slot_name}};
  one["exists"] = slot.told ? json(facts != nullptr) : json{};
  one["state"] = state_of(slot);
  one["active_pid"] = known.active_pid == 0 ? json{} : json(known.active_pid);
  one["plugin"] = text(known.plugin);
  one["database"] = text(known.database);
  one["restart_lsn"] = position(known.restart);
  one["confirmed_flush_lsn"] = position(known.confirmed);
  one["wal_status"] = text(known.wal_status);
  one["retained_bytes"] = retained ? json(*retained) : json{};
  one.update(fault_fields(why_unusable(slot)));
  return one;
}

} // namespace

std::vector<slot_view> look_at_slots(const std::vector<pipeline_settings>& pipelines) {
  std::vector<std::future<result<postgres::slot_report>>> answers;
  for (const auto& one : pipelines)
    answers.push_back(std::async(std::launch::async, [&one] { return ask(one); }));
  std::vector<slot_view> slots;
  slots.reserve(pipelines.size());
  for (std::size_t i = 0; i < pipelines.size(); ++i)
    slots.push_back({.pipeline = pipelines[i].name,
                     .slot_name = pipelines[i].slot_name,
                     .told = answers[i].get()});
  return slots;
}

std::optional<fault> why_unusable(const slot_view& slot) {
  if (!slot.told)
    return slot.told.error();
  if (!slot.told->slot)
    return std::nullopt;
  const auto fit = judge_slot(*slot.told->slot, slot.told->database);
  return fit || fit.error().why == reason::slot_active ? std::nullopt : std::optional{fit.error()};
}

std::optional<std::uint64_t> retained_bytes(const slot_view& slot) {
  const auto* const facts = facts_of(slot);
  if (facts == nullptr || !facts->restart || slot.told->wal_position == lsn{})
    return std::nullopt;
  return wal_bytes_between(*facts->restart, slot.told->wal_position);
}

std::string slot_document(const std::vector<slot_view>& slots) {
  json document{{"format", 1}, {"slots", json::array()}};
  for (const auto& one : slots)
    document["slots"].push_back(object_of(one));
  return json_line(document);
}

std::string slot_table(const std::vector<slot_view>& slots) {
  std::vector<text_row> rows{{"PIPELINE", "SLOT", "STATE", "PID", "PLUGIN", "DATABASE", "RESTART",
                              "CONFIRMED", "WAL", "RETAINED"}};
  std::string remarks;
  for (const auto& one : slots) {
    rows.push_back(row_of(one));
    if (const auto problem = why_unusable(one))
      remarks += remark_on(one.pipeline, *problem);
  }
  return aligned(rows) + remarks;
}

exit_code judge_slots(const std::vector<slot_view>& slots) {
  if (!std::ranges::all_of(slots, [](const auto& one) { return one.told.has_value(); }))
    return exit_code::unavailable;
  const auto usable = [](const auto& one) { return one.told->slot && !why_unusable(one); };
  return std::ranges::all_of(slots, usable) ? exit_code::fine : exit_code::needs_person;
}

} // namespace replicant::cli
