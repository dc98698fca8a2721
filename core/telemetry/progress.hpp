// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/telemetry/pipeline_status.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace replicant {

/// How long ago the last durable transaction was committed, while rows that came after it are in
/// hand; nothing otherwise. WAL alone proves no age: it may hold nothing that is published.
[[nodiscard]] std::optional<std::chrono::microseconds> commit_lag(const pipeline_status& one,
                                                                  timestamp clock);

/// How a pipeline moved during the last while.
struct progress {
  std::string_view pipeline; ///< Valid as long as the status that it was taken from.
  double transactions_per_second = 0;
  double changes_per_second = 0;
  std::uint64_t lag_bytes = 0;
  std::optional<std::chrono::seconds> lag; ///< As `commit_lag`, whole seconds.
  bool paced = false;
};

/// How a pipeline moved from one status to a later one. `clock` is the time of the later one. The
/// answer refers to the name in `now`.
[[nodiscard]] progress progress_between(const pipeline_status& before, const pipeline_status& now,
                                        std::chrono::duration<double> elapsed, timestamp clock);

} // namespace replicant
