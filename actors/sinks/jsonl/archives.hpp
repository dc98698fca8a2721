// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/sinks/jsonl/readable_file.hpp"
#include "replicant/core/delivery/watermark.hpp"

#include <string>
#include <vector>

namespace replicant {

/// A file that was closed by rotation. Its name says where it starts, so that names sort in the
/// order of the stream.
struct archived_file {
  std::string path;
  watermark start;
};

/// The name of the closed file that starts at `start`: `<path>.<16 upper-case hexadecimal digits>`.
[[nodiscard]] std::string archive_path(const std::string& path, watermark start);

/// Finds the closed files beside `live`, in order, by their names alone. A second name of `live`
/// itself is not among them.
/// @fault sink_unreadable with the errno when the folder cannot be read.
[[nodiscard]] result<std::vector<archived_file>> find_archives(const readable_file& live);

} // namespace replicant
