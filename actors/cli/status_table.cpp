// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/status_table.hpp"

#include "replicant/actors/cli/status_document.hpp"
#include "replicant/actors/cli/text_table.hpp"
#include "replicant/actors/readable.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

namespace replicant::cli {

namespace {

using json = nlohmann::ordered_json;

/// Behind IN FLIGHT.
constexpr std::ptrdiff_t open_column = 6;

/// A field as text, whatever it is; "-" when it is not known.
std::string field(const json& of, const char* name) {
  const auto found = of.find(name);
  if (found == of.end() || found->is_null())
    return "-";
  return printable(found->is_string() ? found->get<std::string>() : found->dump());
}

std::string size_field(const json& of, const char* name) {
  const auto found = of.find(name);
  return found != of.end() && found->is_number_unsigned()
           ? readable_size(found->get<std::uint64_t>())
           : field(of, name);
}

/// The state, and what keeps it from going on.
std::string state_of(const json& pipeline) {
  const auto state = field(pipeline, "state");
  if (const auto failures = field(pipeline, "store_failures"); failures != "-" && failures != "0")
    return state + " (store fails)";
  return state + (field(pipeline, "paced") == "true" ? " (paced)" : "");
}

bool is_some(const json& of, const char* name) {
  const auto found = of.find(name);
  return found != of.end() && found->is_number_unsigned() && *found != 0;
}

bool has_open(const json& pipeline) {
  return is_some(pipeline, "open_transactions") || is_some(pipeline, "spilled_bytes");
}

/// Transactions that are open, and what of them is not in memory.
std::string open_of(const json& pipeline) {
  const auto open = field(pipeline, "open_transactions");
  return is_some(pipeline, "spilled_bytes")
           ? open + ", " + size_field(pipeline, "spilled_bytes") + " on disk"
           : open;
}

text_row row_of(const json& pipeline) {
  return {field(pipeline, "name"),
          state_of(pipeline),
          field(pipeline, "since"),
          field(pipeline, "acknowledged"),
          size_field(pipeline, "lag_bytes"),
          size_field(pipeline, "in_flight_bytes"),
          field(pipeline, "transactions"),
          field(pipeline, "changes"),
          field(pipeline, "last_commit_time"),
          field(pipeline, "reconnects"),
          field(pipeline, "server_version")};
}

std::string remark(const json& pipeline) {
  if (field(pipeline, "reason") == "-")
    return {};
  const auto state = field(pipeline, "state");
  const std::string now = state == "halted" || state == "waiting" ? "" : "last failure: ";
  const auto error = field(pipeline, "system_error");
  const auto cause = now + readable_cause(field(pipeline, "fault"), error == "-" ? "" : error);
  return remark_on(field(pipeline, "name"), cause, field(pipeline, "explanation"));
}

} // namespace

std::string status_table(std::string_view document) {
  if (judge(document) == verdict::unreadable)
    return {};
  const auto parsed = json::parse(document);
  const auto& pipelines = parsed["pipelines"];
  std::vector<text_row> rows{{"PIPELINE", "STATE", "SINCE", "ACKNOWLEDGED", "LAG", "IN FLIGHT",
                              "TRANSACTIONS", "ROWS", "LAST COMMIT", "RECONNECTS", "SERVER"}};
  std::string remarks;
  for (const auto& one : pipelines) {
    rows.push_back(row_of(one));
    remarks += remark(one);
    if (const auto warning = field(one, "slot_warning"); warning != "-")
      remarks += "\n" + field(one, "name") + ": " + warning + "\n";
  }
  // Most of the time nothing is open, and the table is wide as it is.
  if (std::ranges::any_of(pipelines, has_open)) {
    rows.front().insert(rows.front().begin() + open_column, "OPEN");
    for (std::size_t i = 0; i < pipelines.size(); ++i)
      rows[i + 1].insert(rows[i + 1].begin() + open_column, open_of(pipelines[i]));
  }
  return aligned(rows) + remarks;
}

} // namespace replicant::cli
