// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace replicant {

/// Looks a variable up; nothing when it is not set.
using environment = std::function<std::optional<std::string>(const std::string& name)>;

/// The environment of this process. Not to be used while another thread changes it.
[[nodiscard]] environment process_environment();

} // namespace replicant
