// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/cli/slot_view.hpp"
#include "replicant/actors/postgres/checkpoint_table.hpp"
#include "replicant/actors/sinks/jsonl/inspect.hpp"

namespace replicant::cli {

/// How far one pipeline is: what its sink or store holds and the slot beside it.
struct checkpoint_view {
  slot_view slot;
  std::optional<result<inspected_file>> sink; ///< Nothing: it keeps no position.
  /// What the checkpoint store holds, where one keeps the position.
  std::optional<result<postgres::tabled_checkpoint>> store{};
};

/// What the sink or store promises; nothing when it promises nothing or cannot be read.
[[nodiscard]] std::optional<watermark> durable_of(const checkpoint_view& one);

/// Why the sink or store cannot be read, or the gap that its position and the slot prove; a file
/// that is not there yet is nothing wrong. What is wrong with the slot alone is not in here.
[[nodiscard]] std::optional<fault> fault_of(const checkpoint_view& one);

/// As one line of JSON: {"format":1,"checkpoints":[...]}. What is not known is null. The fields of
/// the slot's own fault begin with "slot_".
[[nodiscard]] std::string checkpoint_document(const std::vector<checkpoint_view>& all);

/// As a table for people, with what is wrong and what to do about it below.
[[nodiscard]] std::string checkpoint_table(const std::vector<checkpoint_view>& all);

/// fine; needs_person: a sink cannot be read, a slot cannot be used, or there is a gap between the
/// two. A server that does not tell proves nothing.
[[nodiscard]] exit_code judge_checkpoints(const std::vector<checkpoint_view>& all);

} // namespace replicant::cli
