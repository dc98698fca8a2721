// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/slot_standing.hpp"

#include <cstdint>
#include <optional>

namespace replicant {

/// How near a slot is to being removed with its WAL.
enum class slot_risk : std::uint8_t {
  none,  ///< Also where the server keeps WAL without a bound.
  high,  ///< 70 % of what may be kept is.
  acute, ///< 85 %, or the server has begun to remove it.
};

/// The part of its bound that a slot holds back, in whole percent, rounded down; may be more than
/// 100. Nothing where there is no bound.
[[nodiscard]] std::optional<std::uint64_t> used_percent(const slot_standing& slot);

[[nodiscard]] slot_risk judge(const slot_standing& slot);

/// Decides when to warn of a slot: once whenever a threshold is passed upwards, and again only
/// after the slot has fallen below it.
class slot_watch {
public:
  /// @returns whether this standing is to be warned of.
  [[nodiscard]] bool rises_with(const slot_standing& now);

private:
  slot_risk last_ = slot_risk::none;
};

} // namespace replicant
