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

/// What IDENTIFY_SYSTEM answered; nothing when a part is missing.
[[nodiscard]] std::optional<session_identity> identity_of(const rows& answer);

/// A row of `slot_query`; nothing when there is no slot.
[[nodiscard]] std::optional<slot_facts> slot_of(const rows& answer, std::string_view slot_name);

/// Identifies the server with the first command on `session`, pins and verifies the session, and
/// reads the rest of the facts.
/// @fault pooler_in_front when the session is none of a walsender; server_unsupported before 14;
/// setting_refused with the setting; otherwise by SQLSTATE.
[[nodiscard]] result<source_facts> read_facts(connection& session, std::string_view slot_name,
                                              std::span<const std::string> publications);

} // namespace replicant::postgres
