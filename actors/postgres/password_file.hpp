// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace replicant::postgres {

/// Whether the password file at `path`, or without one that of the home folder, is there and libpq
/// would not read it, because it is no plain file or its mode lets others in. libpq says so on
/// stderr by itself.
[[nodiscard]] bool is_unfit_password_file(std::string_view path);

} // namespace replicant::postgres
