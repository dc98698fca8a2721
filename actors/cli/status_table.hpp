// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace replicant::cli {

/// A status document as a table for people, followed by what every pipeline that failed has to say
/// and what to do about it. Empty when this is no status document.
[[nodiscard]] std::string status_table(std::string_view document);

} // namespace replicant::cli
