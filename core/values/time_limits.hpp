// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>

namespace replicant {

// What a server can store: from Julian day 0 on; dates go further than timestamps. In days since
// 2000-01-01, ends excluded.
inline constexpr std::int64_t first_day = -2'451'545;
inline constexpr std::int64_t end_of_dates = 2'145'031'949;
inline constexpr std::int64_t end_of_timestamps = 106'751'983;

/// No zone is so far from Greenwich.
inline constexpr std::chrono::seconds end_of_offsets = std::chrono::hours{16};

inline constexpr std::int64_t microseconds_of_day = 86'400'000'000;

[[nodiscard]] constexpr bool is_date(std::int64_t days) {
  return days >= first_day && days < end_of_dates;
}

[[nodiscard]] constexpr bool is_timestamp(std::int64_t microseconds) {
  return microseconds >= first_day * microseconds_of_day &&
         microseconds < end_of_timestamps * microseconds_of_day;
}

/// From midnight to midnight, both included.
[[nodiscard]] constexpr bool is_time_of_day(std::chrono::microseconds time) {
  return time.count() >= 0 && time.count() <= microseconds_of_day;
}

[[nodiscard]] constexpr bool is_offset(std::chrono::seconds offset) {
  return offset > -end_of_offsets && offset < end_of_offsets;
}

} // namespace replicant
