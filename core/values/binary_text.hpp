// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/values/type_shape.hpp"

#include <string>
#include <string_view>

namespace replicant {

/// Appends what PostgreSQL itself would print for a value of `type` whose binary form is `bytes`,
/// in a session with the pinned settings (core/model/session_settings.hpp): byte for byte the same.
///
/// @returns false, with `out` as it was, when the type's binary form is not known or `bytes` is not
/// one.
[[nodiscard]] bool append_binary_text(std::string& out, const type_shape& type,
                                      std::string_view bytes);

} // namespace replicant
