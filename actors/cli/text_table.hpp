// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/fault.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace replicant::cli {

using text_row = std::vector<std::string>;

/// Rows with their columns in line, the first being the head. All are as long as the first.
[[nodiscard]] std::string aligned(const std::vector<text_row>& rows);

/// What is said below a table of something that failed: what, and what to do about it.
[[nodiscard]] std::string remark_on(std::string_view name, const fault& what);

/// As above, of a fault that is told already. `cause` is what `readable_cause` makes.
[[nodiscard]] std::string remark_on(std::string_view name, std::string_view cause,
                                    std::string_view explanation);

} // namespace replicant::cli
