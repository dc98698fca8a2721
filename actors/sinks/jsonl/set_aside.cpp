// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/set_aside.hpp"

#include "replicant/actors/sinks/jsonl/archives.hpp"
#include "replicant/actors/sinks/jsonl/frame_lines.hpp"
#include "replicant/actors/sinks/jsonl/jsonl_file.hpp"
#include "replicant/actors/sinks/jsonl/sync_hint.hpp"
#include "replicant/core/delivery/jsonl_names.hpp"
#include "replicant/core/telemetry/failpoint.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <optional>

namespace replicant {

namespace {

using names = std::vector<std::string>;

/// Everything of the set but the live file. One that a crash left half closed has two names.
result<names> others_of(const std::string& path) {
  const auto archives = find_archives(path, std::nullopt);
  if (!archives)
    return failure(archives.error());
  names found;
  for (const auto& one : *archives)
    found.push_back(one.path);
  if (identity_at(next_path(path)))
    found.push_back(next_path(path));
  return found;
}

/// @returns the errno, or 0.
int rename_into_free(const std::string& from, const std::string& to) {
  if (identity_at(to))
    return EEXIST;
  return std::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

/// Made when it is missing: whoever would write it now is kept away by its lock.
result<jsonl_file> open_for_lock(const std::string& path) {
  return jsonl_file::open(path, symbolic_links::refused);
}

/// The live one goes last: what is left of the set can be gone on with until then.
result<names> set_aside(jsonl_file& live, const std::string& suffix) {
  const auto path = live.path();
  auto others = others_of(path);
  if (!others)
    return others;
  names done;
  for (const auto& one : *others) {
    if (const auto error = rename_into_free(one, one + suffix); error != 0)
      return live.give_up(error);
    done.push_back(one + suffix);
  }
  if (live.length() == 0)
    return done;
  if (const auto error = reach(failpoint::before_archive); error != 0)
    return live.give_up(error);
  if (identity_at(path + suffix))
    return live.give_up(EEXIST);
  if (const auto moved = live.take_place(path + suffix); !moved)
    return failure(moved.error());
  // Only now: a file that keeps its name keeps what tells damage from a torn tail.
  remove_sync_hint(path);
  done.push_back(path + suffix);
  return done;
}

/// The new file under its passing name, whole and durable.
result<jsonl_file> write_anew(jsonl_file& live, const session_identity& source, watermark reached) {
  const auto passing = anew_path(live.path());
  // Left by a crash: whoever begins a file anew has the live one locked.
  ::unlink(passing.c_str());
  auto fresh = live.create_beside(passing);
  if (!fresh)
    return fresh;
  std::string lines;
  append_header(lines, {.source = source});
  append_progress(lines, reached);
  auto done = fresh->append(lines);
  if (done)
    done = fresh->sync();
  if (!done)
    return failure(done.error());
  return fresh;
}

} // namespace

std::string aside_suffix(std::chrono::system_clock::time_point now) {
  const auto seconds = std::chrono::system_clock::to_time_t(now);
  std::tm broken_down{};
  ::gmtime_r(&seconds, &broken_down);
  std::array<char, 32> text{};
  const auto length =
    std::strftime(text.data(), text.size(), ".before-%Y%m%dT%H%M%SZ", &broken_down);
  return {text.data(), length};
}

result<void> expect_unlocked(const std::string& path) {
  const auto live = jsonl_file::open_existing(path);
  return live || is_absence(live.error()) ? result<void>{} : failure(live.error());
}

result<names> set_aside(const std::string& path, const std::string& suffix) {
  auto live = jsonl_file::open_existing(path);
  if (!live && is_absence(live.error())) {
    auto others = others_of(path);
    if (!others && is_absence(others.error()))
      return names{};
    if (!others || others->empty())
      return others;
    // Closed files without the one that goes on halt every start: they go all the same.
    live = open_for_lock(path);
  }
  if (!live)
    return failure(live.error());
  auto done = set_aside(*live, suffix);
  if (done)
    if (const auto named = live->sync_folder(); !named)
      return failure(named.error());
  return done;
}

result<names> begin_anew(const std::string& path, const std::string& suffix,
                         const session_identity& source, watermark reached) {
  auto live = open_for_lock(path);
  if (!live)
    return failure(live.error());
  auto fresh = write_anew(*live, source, reached);
  if (!fresh)
    return failure(fresh.error());
  auto done = set_aside(*live, suffix);
  if (!done)
    return done;
  if (const auto error = reach(failpoint::before_replacement); error != 0)
    return live->give_up(error);
  // A crash may have left it, and the new file may have the inode that it tells of.
  remove_sync_hint(path);
  auto placed = fresh->take_place(path);
  if (placed)
    placed = fresh->sync_folder();
  if (!placed)
    return failure(placed.error());
  return done;
}

} // namespace replicant
