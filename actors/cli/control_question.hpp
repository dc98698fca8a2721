// SPDX-License-Identifier: MIT
#pragma once

#include <tl/expected.hpp>

#include <chrono>
#include <string>

namespace replicant::cli {

/// Asks the program that listens at `path` for its status.
/// @returns the JSON document, or an errno, ETIMEDOUT when nobody answers.
[[nodiscard]] tl::expected<std::string, int>
ask_status(const std::string& path, std::chrono::milliseconds patience = std::chrono::seconds{5});

/// Whether that errno means that nobody listens: no program runs there.
[[nodiscard]] bool nobody_listens(int error_number);

/// Why nobody answered at `path`, and what to do about it. For an errno other than these.
[[nodiscard]] std::string explain_no_answer(const std::string& path, int error_number);

} // namespace replicant::cli
