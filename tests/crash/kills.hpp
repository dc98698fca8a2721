// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/telemetry/failpoint.hpp"
#include "replicant/tests/crash/scene.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace replicant::test {

/// Kills that prove something: the sink has more than at the last, and it held what the slot had
/// not confirmed.
class kill_ledger {
public:
  /// `reached` tells the position that the sink holds, also when the program is gone.
  kill_ledger(const pg_cluster& server, std::function<std::uint64_t()> reached)
    : server_{server}, reached_{std::move(reached)} {}

  /// To be called after each kill.
  void judge(const std::string& how);

  [[nodiscard]] std::uint64_t counted() const { return counted_; }

  /// All that there were, whether they proved something or not.
  [[nodiscard]] std::uint64_t all() const;

  void print() const;

private:
  const pg_cluster& server_;
  std::function<std::uint64_t()> reached_;
  std::map<std::string, std::uint64_t> by_place_;
  std::uint64_t counted_ = 0;
  std::uint64_t last_ = 0;
};

/// Where a program that writes transactions kills itself, apart from its start.
[[nodiscard]] std::vector<failpoint> kills_while_streaming();

/// Lets the first start die on both sides of the creation of the slot. @returns where the slot
/// begins, as the server says before anything was streamed.
std::string first_light(scene& where);

/// Kills the program at the points named, inside and outside of its start and at any other moment,
/// until enough kills have counted: REPLICANT_KILLS. Then it runs.
void kill_again_and_again(scene& where, kill_ledger& ledger, const std::vector<failpoint>& late,
                          const std::vector<failpoint>& early);

} // namespace replicant::test
