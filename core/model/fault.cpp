// SPDX-License-Identifier: MIT
#include "replicant/core/model/fault.hpp"

#include "replicant/core/model/session_settings.hpp"

#include <algorithm>
#include <string_view>

namespace replicant {

namespace {

std::string_view name_of(slot_holder who) {
  switch (who) {
    case slot_holder::unknown: break;
    case slot_holder::replicant: return "replicant";
    case slot_holder::pg_recvlogical: return "pg_recvlogical";
    case slot_holder::subscription: return "subscription";
    case slot_holder::other_client: return "other_client";
  }
  return "unknown";
}

/// As the subject of a sentence.
std::string_view subject_of(slot_holder who) {
  switch (who) {
    case slot_holder::unknown: break;
    case slot_holder::replicant: return "another replicant";
    case slot_holder::pg_recvlogical: return "pg_recvlogical";
    case slot_holder::subscription: return "the apply worker of a subscription";
    case slot_holder::other_client: return "another client";
  }
  return "another session";
}

void append(std::string& line, std::string_view name, std::string_view value) {
  line.append(" ").append(name).append("=").append(value);
}

void append(std::string& line, const fact& one) {
  switch (one.kind) {
    case fact_kind::none: break;
    case fact_kind::expected_position: append(line, "expected", to_string(lsn{one.value})); break;
    case fact_kind::found_position: append(line, "found", to_string(lsn{one.value})); break;
    case fact_kind::process_id: append(line, "pid", std::to_string(one.value)); break;
    case fact_kind::error_number: append(line, "errno", std::to_string(one.value)); break;
    case fact_kind::setting: append(line, "setting", pinned_setting_name(one.value)); break;
    case fact_kind::server_version:
      append(line, "server_version_num", std::to_string(one.value));
      break;
    case fact_kind::file_offset: append(line, "offset", std::to_string(one.value)); break;
    case fact_kind::silence: append(line, "silent_ms", std::to_string(one.value)); break;
    case fact_kind::holder:
      append(line, "holder", name_of(static_cast<slot_holder>(one.value)));
      break;
  }
}

} // namespace

std::string to_string(const fault& what) {
  std::string line{to_string(what.why)};
  if (what.at != lsn{})
    append(line, "at", to_string(what.at));
  if (what.relation != 0)
    append(line, "relation", std::to_string(what.relation));
  if (what.code.known())
    append(line, "sqlstate", what.code.text());
  for (const auto& one : what.facts)
    append(line, one);
  return line;
}

std::string explain(const fault& what) {
  std::string text{explain(what.why)};
  if (what.why != reason::slot_active)
    return text;
  constexpr std::string_view placeholder = "<holder>";
  const auto* const found = std::ranges::find(what.facts, fact_kind::holder, &fact::kind);
  const auto who =
    found == what.facts.end() ? slot_holder::unknown : static_cast<slot_holder>(found->value);
  return text.replace(text.find(placeholder), placeholder.size(), subject_of(who));
}

} // namespace replicant
