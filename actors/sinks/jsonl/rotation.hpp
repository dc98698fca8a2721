// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/sinks/jsonl/archives.hpp"
#include "replicant/actors/sinks/jsonl/frame_lines.hpp"
#include "replicant/actors/sinks/jsonl/jsonl_file.hpp"
#include "replicant/actors/sinks/jsonl/recovery.hpp"

#include <chrono>
#include <cstdint>
#include <string_view>
#include <vector>

/// Closing a file and beginning the next one, so that a path always names the file that is written
/// and a crash at any moment loses, doubles and forgets nothing (docs/adr/0009-rotation.md).
namespace replicant {

/// When a file is closed and the next one begun; zero: not for this reason.
struct jsonl_rotation {
  std::uint64_t bytes = 0; ///< When it has grown to this length.
  std::chrono::milliseconds interval{0};

  [[nodiscard]] bool wanted() const { return bytes != 0 || interval.count() != 0; }

  [[nodiscard]] bool is_due(std::uint64_t length, std::chrono::steady_clock::duration age) const {
    return (bytes != 0 && length >= bytes) || (interval.count() != 0 && age >= interval);
  }
};

/// Judges whether the closed files and the live one, in which recovery has `found` something, are
/// one set: each closed file starts before the live one.
/// @fault sink_unreadable with both positions when somebody has put an old file, or none, in the
/// place of the live one.
[[nodiscard]] result<void> judge_set(const std::vector<archived_file>& archives,
                                     const recovered_file& found);

/// Whether a crash came while the file was being closed: it has the name of a closed one already.
[[nodiscard]] bool is_half_closed(const jsonl_file& live, const header_line& header);

/// Removes a next file that a crash left before it came to its place. Only one that nobody holds
/// locked and in which no unit is, begun for `source` or not even begun, is touched; a failure
/// shows when the name is needed.
void remove_unused_next(const jsonl_file& live, const session_identity& source);

/// Closes `live`, whose header is `old`, and makes it the file that begins with `next` and `state`,
/// the lines of state that belong to that header. Everything
/// in it has to be durable and below the start of `next`. On return all names are durable.
/// @fault sink_failed with the errno; the next start finds the same set.
[[nodiscard]] result<void> rotate(jsonl_file& live, const header_line& old, const header_line& next,
                                  std::string_view state);

} // namespace replicant
