// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/kept_state.hpp"

#include "replicant/actors/sinks/jsonl/frame_lines.hpp"

#include <algorithm>
#include <utility>

namespace replicant {

namespace {

/// Most entries are shorter; for the others more is read, and more again.
constexpr std::size_t first_look = 4096;

} // namespace

result<std::optional<state_entry>> read_entry_at(const readable_file& file, std::uint64_t at) {
  using maybe = std::optional<state_entry>;
  if (at == 0)
    return maybe{};
  std::string room;
  for (auto look = first_look;; look *= 4) {
    room.resize(look);
    // The newline before it shows that a line begins here.
    const auto got = file.read(at - 1, room);
    if (!got)
      return failure(got.error());
    if (!got->starts_with('\n') || !got->substr(1).starts_with(state_line_start))
      return maybe{};
    const auto line = got->substr(1);
    if (const auto end = line.find('\n'); end != std::string_view::npos)
      return read_state(line.substr(0, end));
    if (got->size() < look)
      return maybe{};
  }
}

void kept_state::take(state_entry entry, std::uint64_t at) {
  if (entry.content.empty())
    held_.erase(entry.name);
  else
    held_.insert_or_assign(std::move(entry.name), held_entry{std::move(entry.content), at});
}

void kept_state::await(const state_entry& entry) {
  const auto held = held_.find(entry.name);
  const auto known =
    held == held_.end() ? entry.content.empty() : held->second.content == entry.content;
  if (known)
    waiting_.erase(entry.name);
  else
    waiting_.insert_or_assign(entry.name, entry.content);
}

std::string kept_state::take_waiting(std::uint64_t at) {
  std::string lines;
  for (auto& [name, content] : std::exchange(waiting_, {})) {
    state_entry entry{name, std::move(content)};
    const auto begins = at + lines.size();
    append_state(lines, entry);
    take(std::move(entry), begins);
    written_to_ = at + lines.size();
  }
  return lines;
}

std::string kept_state::lines() const {
  std::string lines;
  for (const auto& [name, held] : held_)
    append_state(lines, {name, held.content});
  return lines;
}

void kept_state::move_to(std::uint64_t at) {
  std::string line;
  for (auto& [name, held] : held_) {
    held.at = at;
    line.clear();
    append_state(line, {name, held.content});
    at += line.size();
  }
  written_to_ = at;
}

std::vector<state_entry> kept_state::entries() const {
  std::vector<state_entry> all;
  all.reserve(held_.size());
  for (const auto& [name, held] : held_)
    all.push_back({name, held.content});
  return all;
}

std::vector<std::uint64_t> kept_state::places() const {
  std::vector<std::uint64_t> all;
  all.reserve(held_.size());
  for (const auto& [name, held] : held_)
    all.push_back(held.at);
  std::ranges::sort(all);
  return all;
}

} // namespace replicant
