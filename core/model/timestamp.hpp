// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace replicant {

/// A moment as the replication protocol tells it: microseconds since 2000-01-01 00:00:00 UTC.
struct timestamp {
  std::int64_t microseconds = 0;

  friend constexpr bool operator==(timestamp, timestamp) = default;
};

/// ISO 8601 in UTC with microseconds: "2026-07-14T10:00:00.123456Z".
[[nodiscard]] std::string to_string(timestamp moment);

/// Reads back what `to_string` writes; nothing for any other text.
[[nodiscard]] std::optional<timestamp> parse_timestamp(std::string_view text);

/// As PostgreSQL counts: microseconds from 2000 on, in UTC.
[[nodiscard]] timestamp to_timestamp(std::chrono::system_clock::time_point moment);

} // namespace replicant
