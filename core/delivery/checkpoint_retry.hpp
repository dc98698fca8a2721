// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/fault.hpp"

#include <chrono>
#include <cstdint>

namespace replicant {

/// How a checkpoint store is tried again that fails for a reason that time cures. Meanwhile nothing
/// is delivered, so that no more is repeated than was promised.
struct checkpoint_retry {
  std::uint32_t max_retries = 5; ///< In a row, after the first attempt; zero: halt at once.
  std::chrono::milliseconds backoff{1000}; ///< Before each.

  /// Whether to try again after `failures` attempts in a row, the last with `what`.
  [[nodiscard]] bool tries_again(const fault& what, std::uint32_t failures) const {
    return failures <= max_retries && disposition_of(what.why) != disposition::halt;
  }

  friend bool operator==(const checkpoint_retry&, const checkpoint_retry&) = default;
};

/// The fault of a store as a pipeline tells it and halts with it: `cause` becomes a fact. The
/// reasons that only a store has stay what they are.
[[nodiscard]] fault store_fault(const fault& cause);

} // namespace replicant
