// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/sinks/jsonl/frame_lines.hpp"
#include "replicant/actors/sinks/jsonl/kept_state.hpp"
#include "replicant/actors/sinks/jsonl/readable_file.hpp"
#include "replicant/actors/sinks/jsonl/sync_hint.hpp"
#include "replicant/core/delivery/watermark.hpp"

#include <cstdint>
#include <optional>

namespace replicant {

/// The first line of a file; nothing when the file is as good as empty.
struct found_header {
  std::optional<header_line> line{};
  std::uint64_t bytes = 0; ///< With its newline, without the state that belongs to it.
};

/// @fault sink_unreadable when the first line is not our header, or cannot be read (with the
/// errno).
[[nodiscard]] result<found_header> find_header(const readable_file& file);

/// What a file of JSON lines holds, after whatever ended its last writer.
struct recovered_file {
  std::optional<header_line>
    header{};                  ///< Our first line; nothing when the file is as good as empty.
  std::uint64_t length = 0;    ///< The part that is whole: all of it is to be kept.
  std::uint64_t last_unit = 0; ///< Where the last unit of that part begins.
  std::uint64_t torn = 0;      ///< Bytes after that part: to be cut off before writing.
  std::optional<watermark>
    durable{};        ///< What the last unit promises, without one what the header does.
  kept_state state{}; ///< What the header's lines and those ahead of whole units tell.
};

/// Reads the file, holding no more than the state in memory, and changes nothing.
///
/// The unit is what is written as a whole: a transaction from `begin` to `commit`, a message that
/// stands alone, or a progress line, and all lines of state directly ahead of it. A transaction is
/// whole when its `commit` line is exactly what it has to be: number of changes, bytes and CRC-32C.
/// Units ascend. What follows the last whole unit is a torn tail, unless `hint` proves that it was
/// on disk.
/// @fault sink_unreadable when the first line is not our header, when the state that belongs to it
/// or something below the synced part is damaged (with its offset), or when the file cannot be read
/// (with its errno).
[[nodiscard]] result<recovered_file> recover(const readable_file& file,
                                             const std::optional<sync_hint>& hint);

} // namespace replicant
