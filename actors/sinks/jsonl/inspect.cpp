// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/inspect.hpp"

#include "replicant/actors/sinks/jsonl/recovery.hpp"
#include "replicant/actors/sinks/jsonl/rotation.hpp"
#include "replicant/actors/sinks/jsonl/sync_hint.hpp"

namespace replicant {

namespace {

/// Why there is nothing to look at: `opening` failed. What a writer would find counts more: closed
/// files without the one that goes on.
fault absence(const std::string& path, const fault& opening) {
  if (identity_at(path))
    return opening;
  const auto archives = find_archives(path, std::nullopt);
  const auto whole = archives ? judge_set(*archives, {}) : result<void>{};
  return whole ? opening : whole.error();
}

result<inspected_file> look_at(const readable_file& file) {
  auto found = recover(file, read_sync_hint(file));
  if (!found)
    return failure(found.error());
  auto archives = find_archives(file.path(), file.identity());
  if (!archives)
    return failure(archives.error());
  if (const auto whole = judge_set(*archives, *found); !whole)
    return failure(whole.error());
  inspected_file seen{.durable = found->durable,
                      .length = found->length,
                      .state_entries = found->state.size(),
                      .torn = found->torn,
                      .archives = std::move(*archives)};
  if (found->header) {
    seen.source = std::move(found->header->source);
    seen.start = found->header->start;
  }
  return seen;
}

} // namespace

result<inspected_file> inspect(const std::string& path) {
  for (;;) {
    const auto file = readable_file::open(path);
    if (!file)
      return failure(absence(path, file.error()));
    auto seen = look_at(*file);
    // One that was closed meanwhile would be judged by the files that came after it.
    if (seen || identity_at(path) == file->identity())
      return seen;
  }
}

} // namespace replicant
