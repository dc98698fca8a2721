// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/cli/exit_code.hpp"

#include <optional>
#include <string>

namespace replicant::cli {

/// The command that only tells what it would do, as it was typed.
struct told_command {
  std::string name; ///< "checkpoint adopt".
  std::string file;
  std::string pipeline;
};

/// Whether a change that has been told is wanted: `given` has to be `expected`, exactly. Without
/// one, the command that does it is told; another one is told on standard error, and not repeated.
/// @returns how the command ends when it is not; nothing when it is.
[[nodiscard]] std::optional<exit_code> ask_confirmation(const std::optional<std::string>& given,
                                                        const std::string& expected,
                                                        const told_command& command);

} // namespace replicant::cli
