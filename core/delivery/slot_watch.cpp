// SPDX-License-Identifier: MIT
#include "replicant/core/delivery/slot_watch.hpp"

#include <limits>
#include <utility>

namespace replicant {

namespace {

constexpr std::uint64_t high_percent = 70;
constexpr std::uint64_t acute_percent = 85;

} // namespace

std::optional<std::uint64_t> used_percent(const slot_standing& slot) {
  if (!slot.limit_bytes)
    return std::nullopt;
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  // A bound of zero is one: the server keeps what its checkpoints need and nothing for the slot.
  if (*slot.limit_bytes == 0 || slot.retained_bytes > most / 100)
    return slot.retained_bytes == 0 ? 0 : most;
  return slot.retained_bytes * 100 / *slot.limit_bytes;
}

slot_risk judge(const slot_standing& slot) {
  if (slot.wal_status == slot_wal_status::unreserved || slot.wal_status == slot_wal_status::lost)
    return slot_risk::acute;
  const auto used = used_percent(slot).value_or(0);
  if (used >= acute_percent)
    return slot_risk::acute;
  return used >= high_percent ? slot_risk::high : slot_risk::none;
}

bool slot_watch::rises_with(const slot_standing& now) {
  const auto risk = judge(now);
  return std::exchange(last_, risk) < risk;
}

} // namespace replicant
