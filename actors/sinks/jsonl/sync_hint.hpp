// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/sinks/jsonl/readable_file.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace replicant {

/// What is known to have reached the disk, kept beside the file as `<path>.synced`.
///
/// It shortens the walk of a recovery, says where the state is that was written before, and tells
/// damage from a torn tail: below `synced` nothing may be wrong. It may be missing or old at any
/// time. It says nothing of the watermark or of what is in the state, which are always taken from
/// the file itself.
struct sync_hint {
  std::uint64_t last_unit = 0; ///< Where the last transaction, message or progress line begins.
  std::uint64_t synced = 0;    ///< Bytes of the file that are on disk: where `last_unit` ends.
  std::vector<std::uint64_t> state{}; ///< Where the lines of the entries begin that hold there.
};

/// Reads the hint for `file`; nothing when there is none, or when it tells of another file or of
/// more than there is.
[[nodiscard]] std::optional<sync_hint> read_sync_hint(const readable_file& file);

/// Replaces the hint in one step. A failure leaves the old one, which is as true as before.
void write_sync_hint(const readable_file& file, const sync_hint& hint);

/// Removes the hint for the file at `path`, if there is one.
void remove_sync_hint(const std::string& path);

} // namespace replicant
