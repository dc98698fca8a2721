// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/config/document.hpp"
#include "replicant/config/environment.hpp"
#include "replicant/config/load.hpp"

#include <string>
#include <vector>

namespace replicant {

/// Turns a parsed file into settings by the table of keys.
[[nodiscard]] loaded_settings interpret(const node_table& file, const environment& lookup,
                                        const conninfo_check& judge);

/// Every key there is, with its table: "runtime.threads", "pipeline.sink.path", ...
[[nodiscard]] std::vector<std::string> known_keys();

} // namespace replicant
