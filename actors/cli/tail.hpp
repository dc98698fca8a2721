// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/cli/commands.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace replicant::cli {

enum class colour_choice : std::uint8_t {
  automatic, ///< When standard output is a terminal and NO_COLOR is not set.
  always,
  never,
};

/// What `replicant tail` is asked to show.
struct tail_request {
  std::string conninfo;
  std::vector<std::string> publications;
  std::vector<std::string> tables; ///< "schema.table" or "table", in any schema; empty: all.
  output_format format = output_format::text;
  colour_choice colour = colour_choice::automatic;
  bool messages = false;                     ///< Those of pg_logical_emit_message too.
  std::optional<std::uint64_t> most_changes; ///< End in order after so many, messages included.
};

/// `replicant tail`: shows changes as they are committed, until a signal, until the reader of
/// standard output has gone, or until enough were shown. Leaves nothing behind on the server.
[[nodiscard]] exit_code tail(const tail_request& asked);

} // namespace replicant::cli
