// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/config/validate.hpp"

#include <string>

namespace replicant::cli {

/// What libpq finds wrong with a connection string, in our own words: a keyword that it does not
/// know, with the one that is most like it, or the keyword whose value it does not take.
[[nodiscard]] complaint complain_of_conninfo(const std::string& conninfo);

} // namespace replicant::cli
