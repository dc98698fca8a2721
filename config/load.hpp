// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/config/diagnostic.hpp"
#include "replicant/config/environment.hpp"
#include "replicant/config/settings.hpp"
#include "replicant/config/validate.hpp"

#include <tl/expected.hpp>

#include <functional>
#include <string>
#include <string_view>

namespace replicant {

/// Settings, or everything that is wrong with them, in the order of the file.
using loaded_settings = tl::expected<settings, diagnostics>;

/// What libpq finds wrong with an expanded connection string, as a `complaint`. Given by whoever
/// knows libpq, which this library does not.
using conninfo_check = std::function<complaint(const std::string& conninfo)>;

/// Reads a configuration from TOML text: every option checked, every default filled in. Without
/// `judge`, only the form of connection strings is checked.
///
/// Only a text that is not TOML at all stops at its first problem; otherwise all are told at once.
[[nodiscard]] loaded_settings load(std::string_view text,
                                   const environment& lookup = process_environment(),
                                   const conninfo_check& judge = {});

/// As above, from a file of at most 1 MiB.
[[nodiscard]] loaded_settings load_file(const std::string& path,
                                        const environment& lookup = process_environment(),
                                        const conninfo_check& judge = {});

} // namespace replicant
