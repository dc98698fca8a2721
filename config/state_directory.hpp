// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/config/environment.hpp"

#include <optional>
#include <string>

namespace replicant {

/// Where state is kept when no `state_dir` is given: $STATE_DIRECTORY (which systemd sets), else
/// $XDG_STATE_HOME/replicant, else $HOME/.local/state/replicant. Nothing when none of them is set.
[[nodiscard]] std::optional<std::string> default_state_directory(const environment& lookup);

} // namespace replicant
