// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/reason.hpp"
#include "replicant/core/telemetry/histogram.hpp"
#include "replicant/core/telemetry/observer.hpp"

#include <array>
#include <cstdint>

namespace replicant {

/// Upper bounds in microseconds, from half a millisecond to half a minute.
inline constexpr std::array<std::uint64_t, 15> latency_bounds{
  500,     1'000,   2'500,     5'000,     10'000,    25'000,     50'000,    100'000,
  250'000, 500'000, 1'000'000, 2'500'000, 5'000'000, 10'000'000, 30'000'000};

/// Upper bounds in transactions.
inline constexpr std::array<std::uint64_t, 12> batch_bounds{1,   2,   5,   10,   25,   50,
                                                            100, 250, 500, 1000, 2500, 5000};

/// What has happened to one pipeline, as its events tell it: what its status does not hold.
class pipeline_counts {
public:
  /// Takes an event into account. Takes no memory, and no time worth telling.
  void add(const telemetry_event& what);

  /// From handing over to durable: one for what became durable in one step, in microseconds.
  [[nodiscard]] const histogram<latency_bounds.size()>& latency() const { return latency_; }

  /// Transactions that became durable in one step.
  [[nodiscard]] const histogram<batch_bounds.size()>& batches() const { return batches_; }

  /// Events of this kind.
  [[nodiscard]] std::uint64_t events(event_kind kind) const {
    return events_[static_cast<std::size_t>(kind)];
  }

  /// Generations that were lost for this reason.
  [[nodiscard]] std::uint64_t retries(reason why) const {
    return retries_[static_cast<std::size_t>(why)];
  }

  [[nodiscard]] std::uint64_t assembled_transactions() const { return assembled_transactions_; }

  [[nodiscard]] std::uint64_t assembled_changes() const { return assembled_changes_; }

private:
  histogram<latency_bounds.size()> latency_{latency_bounds};
  histogram<batch_bounds.size()> batches_{batch_bounds};
  std::array<std::uint64_t, event_kind_count> events_{};
  std::array<std::uint64_t, std::size_t{reason_count} + 1> retries_{};
  std::uint64_t assembled_transactions_ = 0;
  std::uint64_t assembled_changes_ = 0;
};

} // namespace replicant
