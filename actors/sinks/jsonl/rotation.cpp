// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/rotation.hpp"

#include "replicant/actors/sinks/jsonl/sync_hint.hpp"
#include "replicant/core/delivery/jsonl_names.hpp"
#include "replicant/core/telemetry/failpoint.hpp"

#include <unistd.h>

#include <string>
#include <utility>

namespace replicant {

namespace {

/// The first file starts where nobody knew yet: before everything.
watermark start_of(const header_line& header) {
  return header.start.value_or(watermark{});
}

/// The next file, whole and locked, under its passing name.
result<jsonl_file> write_next(jsonl_file& live, const header_line& header, std::string_view state) {
  if (const auto error = reach(failpoint::before_next_file); error != 0)
    return live.give_up(error);
  auto next = live.create_beside(next_path(live.path()));
  if (!next)
    return next;
  std::string line;
  append_header(line, header);
  auto done = next->append(line);
  if (done)
    done = next->sync();
  // Only behind a header that is on disk: it shows whose file this is, whatever a crash leaves.
  if (done && !state.empty()) {
    done = next->append(state);
    if (done)
      done = next->sync();
  }
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
  remove_sync_hint(live.path());
  return live.sync_folder();
}

/// Whether a file of `length` has no more than a header, as a file of this source has it, and its
/// state, which a crash may have torn.
bool is_begun_for(const found_header& found, std::uint64_t length, const session_identity& source) {
  auto same = *found.line;
  same.source = source;
  std::string ours;
  append_header(ours, same);
  std::string theirs;
  append_header(theirs, *found.line);
  return theirs == ours && length - found.bytes <= found.line->state_bytes;
}

} // namespace

result<void> judge_set(const std::vector<archived_file>& archives, const recovered_file& found) {
  if (archives.empty())
    return {};
  const auto newest = archives.back().start;
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

void remove_unused_next(const jsonl_file& live, const session_identity& source) {
  const auto next = jsonl_file::open_existing(next_path(live.path()));
  if (!next)
    return;
  const auto found = find_header(*next);
  if (found && (!found->line || is_begun_for(*found, next->length(), source)))
    ::unlink(next->path().c_str());
}

result<void> rotate(jsonl_file& live, const header_line& old, const header_line& next,
                    std::string_view state) {
  auto fresh = write_next(live, next, state);
  if (!fresh)
    return failure(fresh.error());
  if (auto done = archive(live, old); !done)
    return done;
  if (const auto error = reach(failpoint::before_replacement); error != 0)
    return live.give_up(error);
  if (auto done = fresh->take_place(live.path()); !done)
    return done;
  if (const auto error = reach(failpoint::after_replacement); error != 0)
    return fresh->give_up(error);
  if (auto done = fresh->sync_folder(); !done)
    return done;
  live = std::move(*fresh);
  return {};
}

} // namespace replicant
