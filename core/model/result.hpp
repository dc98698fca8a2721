// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/fault.hpp"

#include <tl/expected.hpp>

namespace replicant {

/// A value or a fault. Expected failures are values; exceptions never cross our borders.
template <class T>
using result = tl::expected<T, fault>;

/// A failed result: `return failure(reason::decode_failure);`
[[nodiscard]] inline tl::unexpected<fault> failure(fault what) {
  return tl::unexpected<fault>{what};
}

/// As above, of a reason that says enough.
[[nodiscard]] inline tl::unexpected<fault> failure(reason why) {
  return tl::unexpected<fault>{fault{.why = why}};
}

} // namespace replicant
