// SPDX-License-Identifier: MIT
#include "replicant/core/model/session_identity.hpp"

namespace replicant {

demanded_identity same_as(const session_identity& known) {
  return {.system_identifier = known.system_identifier,
          .database = known.database,
          .slot_name = known.slot_name};
}

result<void> judge_identity(const session_identity& found, const demanded_identity& demanded) {
  result<void> verdict;
  const auto compare = [&verdict](identity_part which, std::string_view here,
                                  const std::optional<std::string_view>& wanted) {
    if (verdict && wanted && *wanted != here)
      verdict =
        failure(fault{.why = reason::session_identity_rejected,
                      .facts = {fact{fact_kind::differs, static_cast<std::uint64_t>(which)}}});
  };
  compare(identity_part::system_identifier, found.system_identifier, demanded.system_identifier);
  compare(identity_part::database, found.database, demanded.database);
  compare(identity_part::slot_name, found.slot_name, demanded.slot_name);
  return verdict;
}

} // namespace replicant
