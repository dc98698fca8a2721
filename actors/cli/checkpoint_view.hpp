// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/cli/slot_view.hpp"
#include "replicant/actors/sinks/jsonl/inspect.hpp"

namespace replicant::cli {

/// How far one pipeline is: what its sink holds and the slot beside it.
struct checkpoint_view {
  slot_view slot;
  std::optional<result<inspected_file>> sink; ///< Nothing: it keeps no position.
};

/// What the sink promises; nothing when it promises nothing or cannot be read.
[[nodiscard]] std::optional<watermark> durable_of(const checkpoint_view& one);

/// Why the sink's memory cannot be read; a file that is not there yet is none.
[[nodiscard]] std::optional<fault> why_unreadable(const checkpoint_view& one);

/// As one line of JSON: {"format":1,"checkpoints":[...]}. What is not known is null.
[[nodiscard]] std::string checkpoint_document(const std::vector<checkpoint_view>& all);

/// As a table for people, with what is wrong and what to do about it below.
[[nodiscard]] std::string checkpoint_table(const std::vector<checkpoint_view>& all);

} // namespace replicant::cli
