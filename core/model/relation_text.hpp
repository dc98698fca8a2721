// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/relation.hpp"

#include <optional>
#include <string>
#include <string_view>

/// A table's shape as bytes that read back as the same shape: to be remembered, and to be compared
/// by. The OID is not among them.
namespace replicant {

[[nodiscard]] std::string to_text(const relation& shape);

/// @returns nothing for anything that `to_text` does not write.
[[nodiscard]] std::optional<relation> read_relation(std::string_view text);

} // namespace replicant
