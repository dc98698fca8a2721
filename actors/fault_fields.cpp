// SPDX-License-Identifier: MIT
#include "replicant/actors/fault_fields.hpp"

#include "replicant/actors/readable.hpp"

#include <nlohmann/json.hpp>

namespace replicant {

nlohmann::ordered_json fault_fields(const std::optional<fault>& what) {
  nlohmann::ordered_json fields{{"reason", {}},   {"explanation", {}},  {"fault", {}},
                                {"sqlstate", {}}, {"system_error", {}}, {"fault_position", {}}};
  if (!what)
    return fields;
  fields["reason"] = to_string(what->why);
  fields["explanation"] = explain(*what);
  fields["fault"] = to_string(*what);
  if (what->code.known())
    fields["sqlstate"] = what->code.text();
  if (const auto error = readable_system_error(*what); !error.empty())
    fields["system_error"] = error;
  if (what->at != lsn{})
    fields["fault_position"] = to_string(what->at);
  return fields;
}

} // namespace replicant
