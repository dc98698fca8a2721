// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/config/diagnostic.hpp"
#include "replicant/config/environment.hpp"
#include "replicant/config/settings.hpp"

#include <tl/expected.hpp>

#include <string>
#include <string_view>

namespace replicant {

/// Settings, or everything that is wrong with them, in the order of the file.
using loaded_settings = tl::expected<settings, diagnostics>;

/// Reads a configuration from TOML text: every option checked, every default filled in.
///
/// Only a text that is not TOML at all stops at its first problem; otherwise all are told at once.
[[nodiscard]] loaded_settings load(std::string_view text,
                                   const environment& lookup = process_environment());

/// As above, from a file of at most 1 MiB.
[[nodiscard]] loaded_settings load_file(const std::string& path,
                                        const environment& lookup = process_environment());

} // namespace replicant
