// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/values/temporal.hpp"

#include <chrono>
#include <optional>
#include <string_view>

namespace replicant {

// Each reads what PostgreSQL prints for the type in DateStyle ISO and IntervalStyle postgres, and
// nothing else; moments with any offset.

[[nodiscard]] std::optional<date> parse_date(std::string_view text);
[[nodiscard]] std::optional<std::chrono::microseconds> parse_time(std::string_view text);
[[nodiscard]] std::optional<date_time> parse_date_time(std::string_view text);
[[nodiscard]] std::optional<instant> parse_instant(std::string_view text);
[[nodiscard]] std::optional<zoned_time> parse_zoned_time(std::string_view text);
[[nodiscard]] std::optional<interval> parse_interval(std::string_view text);

} // namespace replicant
