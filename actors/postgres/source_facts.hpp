// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/postgres/connection.hpp"
#include "replicant/core/protocol/replication_source.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace replicant::postgres {

/// Index into `pinned_settings` of the first one that `shown` (the answer to `read_settings_query`)
/// does not show as it must be.
[[nodiscard]] std::optional<std::size_t> first_refused_setting(const rows& shown,
                                                               std::uint32_t server_version);

/// What IDENTIFY_SYSTEM answered; nothing when a part is missing, or the answer is not one row.
[[nodiscard]] std::optional<session_identity> identity_of(const rows& answer);

/// A row of `slot_query`; nothing when there is no slot.
[[nodiscard]] std::optional<slot_facts> slot_of(const rows& answer, std::string_view slot_name);

/// Identifies the server with the first command on `session`, pins and verifies the session, and
/// reads the rest of the facts.
///
/// A walsender decodes old changes with the catalog as it was then, but what its caches hold
/// already it takes as it is now: a session that has once looked at a publication's tables would
/// skip rows that were published when they were written, without a word (verified on 15). So
/// nothing is asked here that looks at publications' contents, tables or types.
/// @fault pooler_in_front when the session is none of a walsender; server_unsupported before 14;
/// setting_refused with the setting; otherwise by SQLSTATE.
[[nodiscard]] result<source_facts> read_facts(connection& session, std::string_view slot_name,
                                              std::span<const std::string> publications);

/// Published tables without a usable replica identity.
/// @warning never on a session that streams afterwards: see `read_facts`.
[[nodiscard]] result<tables_without_identity>
find_unidentified(connection& session, std::span<const std::string> publications);

} // namespace replicant::postgres
