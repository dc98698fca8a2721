// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/config/environment.hpp"
#include "replicant/config/validate.hpp"

#include <tl/expected.hpp>

#include <string>
#include <string_view>

namespace replicant {

/// Replaces every `${NAME}` in the values of a connection string by the variable's text; `$${`
/// stands for a plain `${`.
///
/// The text of a variable stays inside the one value where its name stands, whatever it holds: it
/// is quoted in a keyword string and percent-encoded in a URI. So a password may hold spaces,
/// quotes and "&", and cannot add a keyword. Which keywords exist and what they mean is left to
/// libpq.
/// @returns the string, or what is wrong with it.
[[nodiscard]] tl::expected<std::string, std::string> expand_conninfo(std::string_view text,
                                                                     const environment& lookup);

/// A text that is equal for two expanded connection strings only if they mean the same server. For
/// comparison alone: it may hold a password.
[[nodiscard]] std::string server_of(std::string_view conninfo);

} // namespace replicant
