// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/rotation.hpp"

#include "replicant/actors/sinks/jsonl/archives.hpp"
#include "replicant/actors/sinks/jsonl/sync_hint.hpp"
#include "replicant/core/telemetry/failpoint.hpp"

#include <unistd.h>

#include <string>

namespace replicant {

namespace {

std::string next_path(const readable_file& live) {
  return live.path() + ".next";
}

/// The first file starts where nobody knew yet: before everything.
watermark start_of(const header_line& header) {
  return header.start.value_or(watermark{});
}

/// The next file, whole and locked, under its passing name.
result<jsonl_file> write_next(jsonl_file& live, const header_line& header) {
  if (const auto error = reach(failpoint::before_next_file); error != 0)
    return live.give_up(error);
  auto next = live.create_beside(next_path(live));
  if (!next)
    return next;
  std::string line;
  append_header(line, header);
  auto done = next->append(line);
  if (done)
    done = next->sync();
  if (!done)
    return failure(done.error());
  return next;
}

/// Names the file as a closed one.
result<void> archive(jsonl_file& live, const header_line& header) {
  if (const auto error = reach(failpoint::before_archive); error != 0)
    return live.give_up(error);
  auto done = live.add_name(archive_path(live.path(), start_of(header)));
  if (!done)
    return done;
  // It tells of this file by its inode, which another file may get when this one is deleted.
  remove_sync_hint(live);
  return live.sync_folder();
}

} // namespace

result<void> judge_set(const jsonl_file& live, const recovered_file& found) {
  const auto archives = find_archives(live);
  if (!archives)
    return failure(archives.error());
  if (archives->empty())
    return {};
  const auto newest = archives->back().start;
  const auto start = found.header ? start_of(*found.header) : watermark{};
  if (found.header && newest < start)
    return {};
  return failure(fault{.why = reason::sink_unreadable,
                       .facts = {{{fact_kind::expected_position, newest.position().value()},
                                  {fact_kind::found_position, start.position().value()}}}});
}

bool is_half_closed(const jsonl_file& live, const header_line& header) {
  return identity_at(archive_path(live.path(), start_of(header))) == live.identity();
}

void remove_unused_next(const jsonl_file& live) {
  const auto next = readable_file::open(next_path(live));
  if (!next)
    return;
  const auto found = recover(*next, std::nullopt);
  if (found && (!found->header || found->durable == found->header->start))
    ::unlink(next->path().c_str());
}

result<void> rotate(jsonl_file& live, const header_line& old, const header_line& header) {
  auto next = write_next(live, header);
  if (!next)
    return failure(next.error());
  if (auto done = archive(live, old); !done)
    return done;
  if (const auto error = reach(failpoint::before_replacement); error != 0)
    return live.give_up(error);
  auto done = next->take_place(live.path());
  if (!done)
    return done;
  if (const auto error = reach(failpoint::after_replacement); error != 0)
    return next->give_up(error);
  done = next->sync_folder();
  if (done)
    live = std::move(*next);
  return done;
}

} // namespace replicant
