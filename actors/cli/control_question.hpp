// SPDX-License-Identifier: MIT
#pragma once

#include <tl/expected.hpp>

#include <chrono>
#include <string>

namespace replicant::cli {

/// Asks the program that listens at `path` for its status.
/// @returns the JSON document, or an errno: ENOENT and ECONNREFUSED mean that nobody listens,
/// ETIMEDOUT that nobody answers.
[[nodiscard]] tl::expected<std::string, int>
ask_status(const std::string& path, std::chrono::milliseconds patience = std::chrono::seconds{5});

} // namespace replicant::cli
