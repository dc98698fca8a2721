// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/telemetry/failpoint.hpp"

#ifdef REPLICANT_FAILPOINTS

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace replicant::cli {

/// What a test wants to happen at a failure point.
struct failpoint_action {
  enum class kind : std::uint8_t {
    kill,  ///< End the process by SIGKILL.
    block, ///< While `file` exists: make `file`.reached and wait.
    error, ///< Pretend that the operation failed with `error_number`.
  };

  failpoint point = failpoint::before_slot_creation;
  kind what = kind::kill;
  std::uint64_t at_pass = 0; ///< Counted from 1; 0 means every time.
  int error_number = 0;
  std::string file{};
};

/// Reads a comma-separated list of `point=kill`, `point=kill@N`, `point=block:/path`,
/// `point=error:ERRNO` and `point=error:ERRNO@N`; ERRNO is a number. Nothing for any other text.
[[nodiscard]] std::optional<std::vector<failpoint_action>> parse_failpoints(std::string_view text);

/// Installs what the environment variable REPLICANT_FAILPOINT asks for. To be called before the
/// first point can be reached.
/// @returns false when the variable cannot be understood.
[[nodiscard]] bool install_failpoints();

} // namespace replicant::cli

#endif
