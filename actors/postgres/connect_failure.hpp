// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/fault.hpp"

#include <string_view>

namespace replicant::postgres {

/// The SQLSTATE that libpq's message about a failed connect ends with, if a server sent one.
///
/// libpq has no field for it while connecting; with verbosity SQLSTATE a server's refusal is told
/// as severity, colon, two spaces and the code, whatever the language.
[[nodiscard]] sqlstate last_sqlstate(std::string_view message);

} // namespace replicant::postgres
