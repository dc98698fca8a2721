// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>

namespace replicant {

/// What the socket of a stream can take while nobody reads it.
struct read_limits {
  /// The longest time for which data may gather.
  std::chrono::microseconds longest{0};
  /// Room for payload and for what the kernel adds to every message; 0: no message count fills it.
  std::size_t room = 0;
};

} // namespace replicant
