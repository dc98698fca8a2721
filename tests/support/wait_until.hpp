// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <thread>

namespace replicant::test {

/// Asks `condition` every few milliseconds until it holds. @returns whether it did in time.
template <class Condition>
[[nodiscard]] bool wait_until(Condition condition,
                              std::chrono::milliseconds patience = std::chrono::seconds{20}) {
  const auto until = std::chrono::steady_clock::now() + patience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() >= until)
      return false;
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
  }
  return true;
}

} // namespace replicant::test
