// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace replicant {

/// The name that somebody who wrote `unknown` most likely meant; nothing when none is like it.
[[nodiscard]] std::optional<std::string_view>
nearest_name(std::string_view unknown, const std::vector<std::string_view>& known);

} // namespace replicant
