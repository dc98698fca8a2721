// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/sinks/jsonl/readable_file.hpp"
#include "replicant/core/delivery/watermark.hpp"

#include <optional>
#include <string>
#include <vector>

namespace replicant {

/// A file that was closed by rotation. Its name says where it starts.
struct archived_file {
  std::string path;
  watermark start;
};

/// Finds the closed files of the set at `path`, in order, by their names alone. A second name of
/// `live`, the file that is at `path` if there is one, is not among them.
/// @fault sink_unreadable with the errno when the folder cannot be read.
[[nodiscard]] result<std::vector<archived_file>>
find_archives(const std::string& path, const std::optional<file_identity>& live);

} // namespace replicant
