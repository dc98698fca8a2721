// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace replicant::test {

/// What a committed transaction has left in published tables, or a message outside of transactions
/// (xid 0): one text per event, in order, as "insert mixed 17" or "message in 18".
struct told_unit {
  std::uint32_t xid = 0;
  std::vector<std::string> events;

  friend bool operator==(const told_unit&, const told_unit&) = default;
};

using told_history = std::vector<told_unit>;

/// As one line for a person: where a unit is long only both its ends.
[[nodiscard]] std::string to_text(const told_unit& unit);

/// The units of a JSON-lines file, in the order of the stream; transactions without events are left
/// out. @throws std::exception when the file is not what it should be.
[[nodiscard]] told_history history_of(const std::string& file);

/// What a pipeline is told that does not take messages.
[[nodiscard]] told_history without_messages(const told_history& all);

/// Where two histories differ first, in words; empty when they are the same.
[[nodiscard]] std::string difference(const told_history& right, const told_history& told);

/// The lines of a JSON-lines file that tell of units and changes of tables, not of the pipeline
/// that wrote it: no headers, state and idle positions.
[[nodiscard]] std::vector<std::string> unit_lines(const std::string& file);

} // namespace replicant::test
