// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/sinks/jsonl/readable_file.hpp"
#include "replicant/core/delivery/state_entry.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace replicant {

/// Reads the line of state that begins at `at`; nothing when there is no such line, whole.
/// @fault sink_unreadable with the errno.
[[nodiscard]] result<std::optional<state_entry>> read_entry_at(const readable_file& file,
                                                               std::uint64_t at);

/// The entries that a file of JSON lines holds, each with the place of its last line, and those
/// that wait to be written ahead of the next unit. All of them are held in memory.
class kept_state {
public:
  /// Takes an entry that the file holds: its line begins at `at`.
  void take(state_entry entry, std::uint64_t at);

  /// Takes an entry that is to be written; one that the file holds already need not be.
  void await(const state_entry& entry);

  /// The lines that waited: they stand at `at` from now on.
  [[nodiscard]] std::string take_waiting(std::uint64_t at);

  /// The line of every entry, as the next file begins with them.
  [[nodiscard]] std::string lines() const;

  /// The file is another one now, in which `lines` stand at `at`.
  void move_to(std::uint64_t at);

  [[nodiscard]] std::vector<state_entry> entries() const;

  [[nodiscard]] std::size_t size() const { return held_.size(); }

  /// Where the lines of the entries begin, in ascending order.
  [[nodiscard]] std::vector<std::uint64_t> places() const;

  /// Where the last line that was written ends; 0 before the first.
  [[nodiscard]] std::uint64_t written_to() const { return written_to_; }

private:
  struct held_entry {
    std::string content;
    std::uint64_t at = 0;
  };

  std::map<std::string, held_entry, std::less<>> held_;
  std::map<std::string, std::string, std::less<>> waiting_; ///< Name and content.
  std::uint64_t written_to_ = 0;
};

} // namespace replicant
