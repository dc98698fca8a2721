// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace replicant {

/// What to say about a key that the table `path` does not have, when it means something elsewhere:
/// in a version that can do more, in a connection string, or in another table. What it would do or
/// where it belongs, and what to write instead.
/// @returns nothing when it means nothing anywhere; only then `name` must not be repeated.
[[nodiscard]] std::optional<std::string> explain_foreign_key(std::string_view path,
                                                             std::string_view name);

/// The same for the kind of a sink.
[[nodiscard]] std::optional<std::string> explain_foreign_sink(std::string_view kind);

} // namespace replicant
