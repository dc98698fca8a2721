// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/cli/command_description.hpp"

#include <string>

namespace replicant::cli {

/// The manual page replicant(1) as mdoc, with one section for each command.
[[nodiscard]] std::string manual_page(const command_description& program);

} // namespace replicant::cli
