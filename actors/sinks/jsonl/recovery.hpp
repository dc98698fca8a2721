// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/sinks/jsonl/frame_lines.hpp"
#include "replicant/actors/sinks/jsonl/readable_file.hpp"
#include "replicant/actors/sinks/jsonl/sync_hint.hpp"
#include "replicant/core/delivery/watermark.hpp"

#include <cstdint>
#include <optional>

namespace replicant {

/// What a file of JSON lines holds, after whatever ended its last writer.
struct recovered_file {
  std::optional<header_line>
    header{};                  ///< Our first line; nothing when the file is as good as empty.
  std::uint64_t length = 0;    ///< The part that is whole: all of it is to be kept.
  std::uint64_t last_unit = 0; ///< Where the last unit of that part begins.
  std::uint64_t torn = 0;      ///< Bytes after that part: to be cut off before writing.
  std::optional<watermark>
    durable{}; ///< What the last unit promises, without one what the header does.
};

/// Reads the file in bounded memory and changes nothing.
///
/// The unit is what is written as a whole: a transaction from `begin` to `commit`, a message that
/// stands alone, or a progress line. A transaction is whole when its `commit` line is exactly what
/// it has to be: number of changes, bytes and CRC-32C. Units ascend. What follows the last whole
/// unit is a torn tail, unless `hint` proves that it was on disk.
/// @fault sink_unreadable when the first line is not our header, when something below the synced
/// part is damaged (with its offset), or when the file cannot be read (with its errno).
[[nodiscard]] result<recovered_file> recover(const readable_file& file,
                                             const std::optional<sync_hint>& hint);

} // namespace replicant
