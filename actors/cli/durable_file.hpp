// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace replicant::cli {

/// Puts a file that holds `text` in the place of the one at `path`, whole or not at all, by way of
/// `<path>.new`. On return it is durable, and so is its name.
/// @returns the errno, or 0. After a failure the old file is there, or the new one.
[[nodiscard]] int replace_durably(const std::string& path, std::string_view text);

} // namespace replicant::cli
