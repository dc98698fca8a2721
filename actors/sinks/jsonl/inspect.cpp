// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/inspect.hpp"

#include "replicant/actors/sinks/jsonl/recovery.hpp"
#include "replicant/actors/sinks/jsonl/sync_hint.hpp"

namespace replicant {

result<inspected_file> inspect(const std::string& path) {
  const auto file = readable_file::open(path);
  if (!file)
    return failure(file.error());
  auto found = recover(*file, read_sync_hint(*file));
  if (!found)
    return failure(found.error());
  auto archives = find_archives(*file);
  if (!archives)
    return failure(archives.error());
  inspected_file seen{.durable = found->durable,
                      .length = found->length,
                      .torn = found->torn,
                      .archives = std::move(*archives)};
  if (found->header) {
    seen.source = std::move(found->header->source);
    seen.start = found->header->start;
  }
  return seen;
}

} // namespace replicant
