// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/archives.hpp"

#include "replicant/core/delivery/jsonl_names.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

namespace replicant {

result<std::vector<archived_file>> find_archives(const std::string& path,
                                                 const std::optional<file_identity>& live) {
  std::vector<archived_file> found;
  const auto live_name = std::filesystem::path{path}.filename().string();
  std::error_code error;
  std::filesystem::directory_iterator entry{folder_of(path), error};
  for (; !error && entry != std::filesystem::directory_iterator{}; entry.increment(error)) {
    const auto name = entry->path().filename().string();
    const auto start = name.starts_with(live_name)
                         ? archive_start(std::string_view{name}.substr(live_name.size()))
                         : std::nullopt;
    if (!start)
      continue;
    auto closed = archive_path(path, *start);
    // One that is gone by now was moved away, as anybody may do at any time.
    if (const auto now = identity_at(closed); now && now != live)
      found.push_back({std::move(closed), *start});
  }
  if (error)
    return failure(file_fault(reason::sink_unreadable, error.value(), 0));
  std::ranges::sort(found, {}, &archived_file::start);
  return found;
}

} // namespace replicant
