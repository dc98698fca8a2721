// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/cli/exit_code.hpp"
#include "replicant/actors/postgres/slot_session.hpp"
#include "replicant/config/settings.hpp"

#include <optional>
#include <string>
#include <vector>

namespace replicant::cli {

/// The slot of one pipeline as its server tells it.
struct slot_view {
  std::string pipeline;
  std::string slot_name;
  result<postgres::slot_report> told;
};

/// Asks the servers of all pipelines at once.
[[nodiscard]] std::vector<slot_view> look_at_slots(const std::vector<pipeline_settings>& pipelines);

/// Why a pipeline cannot use its slot, or the server not be asked; nothing when the slot is ready
/// or held by somebody, and when there is none.
[[nodiscard]] std::optional<fault> why_unusable(const slot_view& slot);

/// WAL that the server keeps for the slot; nothing when that is not known.
[[nodiscard]] std::optional<std::uint64_t> retained_bytes(const slot_view& slot);

/// As one line of JSON: {"format":1,"slots":[...]}. What is not known is null.
[[nodiscard]] std::string slot_document(const std::vector<slot_view>& slots);

/// As a table for people, with what is wrong and what to do about it below.
[[nodiscard]] std::string slot_table(const std::vector<slot_view>& slots);

/// fine; needs_person: a slot is missing or cannot be used; unavailable: a server did not tell.
[[nodiscard]] exit_code judge_slots(const std::vector<slot_view>& slots);

} // namespace replicant::cli
