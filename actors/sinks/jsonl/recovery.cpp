// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/recovery.hpp"

#include "replicant/actors/sinks/jsonl/frame_lines.hpp"
#include "replicant/actors/sinks/jsonl/line_reader.hpp"

#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace replicant {

namespace {

tl::unexpected<fault> damaged(std::uint64_t offset) {
  return failure(
    fault{.why = reason::sink_unreadable, .facts = {{{fact_kind::file_offset, offset}}}});
}

/// What a walk over units has found.
struct walk_result {
  std::uint64_t length = 0;
  std::uint64_t last_unit = 0;
  std::optional<watermark> durable{};
  kept_state state{};
  bool met = false; ///< A unit ended exactly where one was expected to.
};

/// Whether the line is complete in memory and may be ours.
bool is_short(const seen_line& line) {
  return line.printable && line.bytes == line.head.size() + 1;
}

/// A line of state and where it begins.
struct placed_entry {
  state_entry entry;
  std::uint64_t at = 0;
};

/// Reads the lines of state that come next, up to another line, which has been read then too and is
/// the only one in `sum`. @returns false when no complete line is left.
result<bool> walk_state(const readable_file& file, line_reader& lines, crc32c& sum,
                        std::vector<placed_entry>& entries) {
  for (;;) {
    const auto at = lines.offset();
    sum = {};
    const auto more = lines.next(sum);
    if (!more || !*more || !lines.line().printable ||
        !lines.line().head.starts_with(state_line_start))
      return more;
    auto entry = read_entry_at(file, at);
    if (!entry)
      return failure(entry.error());
    if (!*entry)
      return true;
    entries.push_back({std::move(**entry), at});
  }
}

/// Reads the lines of a transaction after its `begin` line, which `sum` and `commit` know already.
result<bool> walk_transaction(line_reader& lines, crc32c sum, commit_line commit) {
  for (;;) {
    const auto before = sum;
    const auto more = lines.next(sum);
    if (!more)
      return failure(more.error());
    const auto& line = lines.line();
    if (!*more || !line.printable)
      return false;
    if (line.head.starts_with(change_line_start)) {
      ++commit.changes;
    } else if (!line.head.starts_with(message_in_transaction_start) &&
               !line.head.starts_with(schema_change_line_start)) {
      // Anything else has to be the commit line, and only one such line is right.
      std::string right;
      commit.checksum = before.value();
      append_commit(right, commit);
      right.pop_back();
      return is_short(line) && line.head == right;
    }
    commit.bytes += line.bytes;
  }
}

/// Reads one unit. @returns what it promises; nothing when it is not whole.
result<std::optional<watermark>> walk_unit(const readable_file& file, line_reader& lines,
                                           std::vector<placed_entry>& entries) {
  using promise = std::optional<watermark>;
  crc32c sum;
  const auto more = walk_state(file, lines, sum, entries);
  if (!more)
    return failure(more.error());
  const auto& line = lines.line();
  if (!*more || !line.printable)
    return promise{};
  if (auto message = read_message(line.head, line.tail))
    return message;
  if (!is_short(line))
    return promise{};
  if (auto progress = read_progress(line.head))
    return progress;
  const auto begin = read_begin(line.head);
  if (!begin)
    return promise{};
  const auto whole = walk_transaction(
    lines, sum, {.xid = begin->xid, .commit_lsn = begin->commit_lsn, .bytes = line.bytes});
  if (!whole)
    return failure(whole.error());
  return *whole ? promise{watermark::through(begin->commit_lsn)} : promise{};
}

/// Walks over whole units from `from`, to the end of the file or to the first that is not whole.
/// `start` is what the header promises, `state` what the file holds up to `from`.
result<walk_result> walk(const readable_file& file, std::uint64_t from, std::uint64_t expected_end,
                         std::optional<watermark> start, kept_state state) {
  line_reader lines{file, from};
  walk_result found{.length = from, .last_unit = from, .durable = start, .state = std::move(state)};
  for (;;) {
    std::vector<placed_entry> entries;
    const auto unit = walk_unit(file, lines, entries);
    if (!unit)
      return failure(unit.error());
    // The sink never repeats a position, so one that does not ascend is damage.
    if (!*unit || (found.durable && **unit <= *found.durable))
      return found;
    for (auto& [entry, at] : entries)
      found.state.take(std::move(entry), at);
    found.durable = **unit;
    found.last_unit = found.length;
    found.length = lines.offset();
    found.met = found.met || found.length == expected_end;
  }
}

/// The state at the places that the hint tells; nothing when the file does not agree.
result<std::optional<kept_state>>
state_from_hint(const readable_file& file, const found_header& header, const sync_hint& hint) {
  std::optional<kept_state> state{std::in_place};
  for (const auto place : hint.state) {
    if (place < header.bytes || place >= hint.synced)
      return std::optional<kept_state>{};
    auto entry = read_entry_at(file, place);
    if (!entry)
      return failure(entry.error());
    if (!*entry)
      return std::optional<kept_state>{};
    state->take(std::move(**entry), place);
  }
  // No place was told twice, no name had two, and none was forgotten.
  return state->size() == hint.state.size() ? std::move(state) : std::optional<kept_state>{};
}

/// A walk that begins where the hint says, if the file agrees with the hint.
result<walk_result> walk_from_hint(const readable_file& file, const found_header& header,
                                   const sync_hint& hint) {
  std::array<char, 1> before{};
  if (hint.last_unit < header.bytes + header.line->state_bytes)
    return walk_result{};
  const auto byte = file.read(hint.last_unit - 1, before);
  if (!byte)
    return failure(byte.error());
  if (*byte != "\n")
    return walk_result{};
  auto state = state_from_hint(file, header, hint);
  if (!state)
    return failure(state.error());
  if (!*state)
    return walk_result{};
  return walk(file, hint.last_unit, hint.synced, header.line->start, std::move(**state));
}

/// A walk over all units. @fault sink_unreadable when the state of the header is not whole: it was
/// on disk before the file had its name.
result<walk_result> walk_from_header(const readable_file& file, const found_header& header,
                                     std::uint64_t expected_end) {
  const auto first_unit = header.bytes + header.line->state_bytes;
  line_reader lines{file, header.bytes};
  kept_state state;
  while (lines.offset() < first_unit) {
    const auto at = lines.offset();
    auto entry = read_entry_at(file, at);
    if (!entry)
      return failure(entry.error());
    crc32c unused;
    if (*entry)
      if (const auto more = lines.next(unused); !more)
        return failure(more.error());
    if (!*entry || lines.offset() > first_unit)
      return damaged(at);
    state.take(std::move(**entry), at);
  }
  return walk(file, first_unit, expected_end, header.line->start, std::move(state));
}

} // namespace

result<found_header> find_header(const readable_file& file) {
  line_reader lines{file, 0};
  crc32c unused;
  const auto more = lines.next(unused);
  if (!more)
    return failure(more.error());
  const auto& line = lines.line();
  if (*more && is_short(line))
    if (auto header = read_header(line.head))
      return found_header{std::move(header), line.bytes};
  if (!*more && line.bytes == line.head.size() && is_torn_header(line.head))
    return found_header{};
  return damaged(0);
}

result<recovered_file> recover(const readable_file& file, const std::optional<sync_hint>& hint) {
  auto header = find_header(file);
  if (!header)
    return failure(header.error());
  if (!header->line && hint && hint->synced > 0)
    return damaged(0);
  if (!header->line)
    return recovered_file{.torn = file.length()};

  if (header->line->state_bytes > file.length() - header->bytes)
    return damaged(header->bytes);
  result<walk_result> found;
  if (hint)
    found = walk_from_hint(file, *header, *hint);
  if (found && !found->met)
    found = walk_from_header(file, *header, hint ? hint->synced : 0);
  if (!found)
    return failure(found.error());
  if (hint && found->length < hint->synced)
    return damaged(found->length);
  return recovered_file{.header = std::move(header->line),
                        .length = found->length,
                        .last_unit = found->last_unit,
                        .torn = file.length() - found->length,
                        .durable = found->durable,
                        .state = std::move(found->state)};
}

} // namespace replicant
