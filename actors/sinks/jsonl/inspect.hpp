// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/sinks/jsonl/archives.hpp"
#include "replicant/core/delivery/watermark.hpp"
#include "replicant/core/model/session_identity.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace replicant {

/// What a file of JSON lines and its archives hold, as seen from outside.
struct inspected_file {
  std::optional<session_identity> source{}; ///< Without the timeline; nothing: it is still empty.
  std::optional<watermark> start{};         ///< What the files before it promise; none: the first.
  std::optional<watermark> durable{};       ///< What it promises; nothing: no position yet.
  std::uint64_t length = 0;                 ///< Bytes of whole units, with the header.
  std::size_t state_entries = 0;            ///< What it remembers beside the position.
  std::uint64_t torn = 0;                ///< Bytes behind them: being written, or left by a crash.
  std::vector<archived_file> archives{}; ///< Closed files that are still beside it, in order.
};

/// Reads the position of the file at `path` without a lock and changes nothing, so that it can be
/// asked while a program writes it: then the answer is true for a moment of the call, and may count
/// what is written and not synced yet. Memory is bounded by the state; without a hint the whole
/// file is read.
/// @fault sink_unreadable with the errno (ENOENT: there is no file), with the offset of damage, or
/// as `judge_set` for closed files without the one that goes on.
[[nodiscard]] result<inspected_file> inspect(const std::string& path);

} // namespace replicant
