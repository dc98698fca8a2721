// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <thread>

namespace replicant {

/// Waits until `condition` holds. @returns false when it did not within `patience`.
template <class Condition>
[[nodiscard]] bool eventually(Condition condition,
                              std::chrono::milliseconds patience = std::chrono::seconds{20}) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline)
      return false;
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
  return true;
}

} // namespace replicant
