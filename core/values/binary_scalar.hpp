// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/values/binary_printer.hpp"

#include <cstdint>

namespace replicant {

/// What prints values of a built-in scalar type. Null when nothing does: the type is another one,
/// or its text takes more than the value, as the names behind regclass and its like.
[[nodiscard]] binary_printer scalar_printer(std::uint32_t oid);

} // namespace replicant
