// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/cli/command_description.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace replicant::cli {

enum class shell : std::uint8_t {
  bash,
  zsh,
  fish,
};

/// The shells by name.
[[nodiscard]] std::vector<std::pair<std::string, shell>> shells();

/// A script that makes the shell complete commands, options, their words and files.
[[nodiscard]] std::string completion_script(shell of, const command_description& program);

} // namespace replicant::cli
