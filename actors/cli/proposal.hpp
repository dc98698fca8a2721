// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace replicant::cli {

/// Names to choose from: "one of run, check".
[[nodiscard]] std::string one_of(const std::vector<std::string>& names);

/// What to write instead of a name that is not known: the nearest of those that are, else the
/// choice. It does not repeat `unknown`.
[[nodiscard]] std::string propose(const std::string& unknown,
                                  const std::vector<std::string>& known);

} // namespace replicant::cli
