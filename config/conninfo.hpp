// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/config/environment.hpp"

#include <tl/expected.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace replicant {

/// What is wrong with a connection string: a complaint, which never repeats it.
struct conninfo_mistake {
  std::string text;
  std::optional<std::size_t> variable{}; ///< The "${" that it is about, counted from 0.
};

/// Replaces every `${NAME}` in the values of a connection string by the variable's text; `$${`
/// stands for a plain `${`.
///
/// The text of a variable stays inside the one value where its name stands, whatever it holds: it
/// is quoted in a keyword string and percent-encoded in a URI. So a password may hold spaces,
/// quotes and "&", and cannot add a keyword. Which keywords exist and what they mean is left to
/// libpq.
/// @returns the string, or what is wrong with it.
[[nodiscard]] tl::expected<std::string, conninfo_mistake>
expand_conninfo(std::string_view text, const environment& lookup);

/// The keywords of an expanded connection string, as they stand in it: of a URI those behind its
/// "?".
[[nodiscard]] std::vector<std::string> keywords_of(std::string_view conninfo);

/// A text that is equal for two expanded connection strings only if they mean the same server. For
/// comparison alone: it may hold a password.
[[nodiscard]] std::string server_of(std::string_view conninfo);

} // namespace replicant
