// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/config/value_readers.hpp"
#include "replicant/core/delivery/batch.hpp"

#include <array>
#include <cstdint>

namespace replicant {

inline constexpr std::int64_t max_batch = 1'000'000;
inline constexpr std::int64_t max_batch_delay = 60'000; ///< ms

/// The keys of a table that says how transactions are collected.
inline constexpr std::array batch_keys{
  key<batch_delivery>{"max_transactions", presence::optional,
                      number<&batch_delivery::max_transactions, 1, max_batch>},
  key<batch_delivery>{"max_delay_ms", presence::optional,
                      number<&batch_delivery::max_delay, 1, max_batch_delay>},
};

} // namespace replicant
