// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/cli/exit_code.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace replicant::cli {

enum class output_format : std::uint8_t {
  text,
  json,
};

/// `replicant run`: runs the pipelines of a configuration until a signal or until the last of them
/// has halted.
struct run_request {
  std::string file;
  std::optional<std::string> pipeline; ///< Only the one of this name.
  bool live_progress = true;           ///< Where a terminal can show it.
};

[[nodiscard]] exit_code run(const run_request& asked);

/// `replicant check`: says whether a configuration is right, without connecting to anything.
struct check_request {
  std::string file;
};

[[nodiscard]] exit_code check(const check_request& asked);

/// `replicant status`: asks the program that runs this configuration; when none does, tells what is
/// kept of its halts.
struct status_request {
  std::string file;
  output_format format = output_format::text;
};

[[nodiscard]] exit_code status(const status_request& asked);

/// `replicant slot list`: how the server keeps the slots that a configuration names.
struct slot_list_request {
  std::string file;
  output_format format = output_format::text;
};

[[nodiscard]] exit_code list_slots(const slot_list_request& asked);

/// `replicant slot drop`: removes slots that a configuration names from their servers.
struct slot_drop_request {
  std::string file;
  std::optional<std::string> pipeline; ///< Only the slot of the pipeline of this name.
  bool confirmed = false;              ///< Without asking.
};

[[nodiscard]] exit_code drop_slots(const slot_drop_request& asked);

/// `replicant checkpoint show`: how far the sinks are, and the slots beside them.
struct checkpoint_show_request {
  std::string file;
  output_format format = output_format::text;
};

[[nodiscard]] exit_code show_checkpoints(const checkpoint_show_request& asked);

/// What a command that changes something is asked; it only tells what it would do until that is
/// confirmed by typing it.
struct change_request {
  std::string file;
  std::optional<std::string> pipeline;     ///< Needed when there are several.
  std::optional<std::string> confirmation; ///< Of the slot's name, or of a fingerprint.
};

/// `replicant checkpoint adopt`: goes on from where the slot is, whatever was held before.
struct checkpoint_adopt_request : change_request {};

[[nodiscard]] exit_code adopt_checkpoint(const checkpoint_adopt_request& asked);

/// `replicant checkpoint reset`: forgets what is held, so that the next start is a first one.
struct checkpoint_reset_request : change_request {};

[[nodiscard]] exit_code reset_checkpoint(const checkpoint_reset_request& asked);

/// `replicant schema accept`: lets a pipeline go on that has halted at a change of a table.
struct schema_accept_request : change_request {};

[[nodiscard]] exit_code accept_schema_change(const schema_accept_request& asked);

} // namespace replicant::cli
