// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/values/calendar_day.hpp"
#include "replicant/core/values/time_limits.hpp"

#include <chrono>
#include <compare>
#include <cstdint>
#include <limits>
#include <optional>

namespace replicant {

/// A date in PostgreSQL's own range, 4714-11-24 BC to 5874897-12-31 and the two infinite ones, in
/// order.
struct date {
  std::int32_t days = 0; ///< Since 2000-01-01; the largest and the smallest number are infinite.

  [[nodiscard]] static constexpr date infinity() {
    return {std::numeric_limits<std::int32_t>::max()};
  }

  [[nodiscard]] static constexpr date minus_infinity() {
    return {std::numeric_limits<std::int32_t>::min()};
  }

  [[nodiscard]] constexpr bool is_finite() const {
    return *this != infinity() && *this != minus_infinity();
  }

  /// Year, month and day; nothing when it is infinite.
  [[nodiscard]] constexpr std::optional<calendar_day> calendar() const {
    return is_finite() ? std::optional{calendar_day::of(days)} : std::nullopt;
  }

  /// The same for the standard library; nothing when it is infinite or after the year 32767.
  [[nodiscard]] constexpr std::optional<std::chrono::year_month_day> to_chrono() const;

  friend constexpr auto operator<=>(date, date) = default;
};

/// A point in time in PostgreSQL's own range, 4714-11-24 BC to the year 294276 and the two infinite
/// ones, in order.
template <class Clock>
struct time_value {
  using chrono_type = std::chrono::time_point<Clock, std::chrono::microseconds>;

  /// Since midnight of 2000-01-01; the largest and the smallest number are infinite.
  std::int64_t microseconds = 0;

  [[nodiscard]] static constexpr time_value infinity() {
    return {std::numeric_limits<std::int64_t>::max()};
  }

  [[nodiscard]] static constexpr time_value minus_infinity() {
    return {std::numeric_limits<std::int64_t>::min()};
  }

  [[nodiscard]] constexpr bool is_finite() const {
    return *this != infinity() && *this != minus_infinity();
  }

  /// The day it belongs to, infinite as it is itself.
  [[nodiscard]] constexpr date day() const;

  /// Since midnight; zero when it is infinite.
  [[nodiscard]] constexpr std::chrono::microseconds time_of_day() const;

  /// The same for the standard library; nothing when it is infinite or after 294247-01-10, for
  /// which 64 bits since 1970 do not suffice.
  [[nodiscard]] constexpr std::optional<chrono_type> to_chrono() const;

  friend constexpr auto operator<=>(time_value, time_value) = default;
};

/// A `timestamp without time zone`: what a clock on some wall shows, and not known where.
using date_time = time_value<std::chrono::local_t>;

/// A `timestamp with time zone`: a moment, counted in UTC.
using instant = time_value<std::chrono::system_clock>;

/// A `time with time zone`.
struct zoned_time {
  std::chrono::microseconds time{0}; ///< Since midnight there; 24:00:00 is possible.
  std::chrono::seconds offset{0};    ///< Of the zone, positive east of Greenwich.

  friend constexpr bool operator==(const zoned_time&, const zoned_time&) = default;
};

/// An interval: months and days have no fixed length, so the three parts stay apart.
struct interval {
  std::int32_t months = 0;
  std::int32_t days = 0;
  std::chrono::microseconds time{0};

  [[nodiscard]] static constexpr interval infinity() {
    return {std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::max(),
            std::chrono::microseconds::max()};
  }

  [[nodiscard]] static constexpr interval minus_infinity() {
    return {std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::min(),
            std::chrono::microseconds::min()};
  }

  /// Servers before 17 know no infinite intervals, and their largest and smallest one count as
  /// infinite here.
  [[nodiscard]] constexpr bool is_finite() const {
    return *this != infinity() && *this != minus_infinity();
  }

  friend constexpr bool operator==(const interval&, const interval&) = default;
};

constexpr std::optional<std::chrono::year_month_day> date::to_chrono() const {
  using namespace std::chrono;
  const auto found = calendar();
  if (!found || found->year > static_cast<int>(year::max()))
    return std::nullopt;
  return year{static_cast<int>(found->year)} / month{found->month} / std::chrono::day{found->day};
}

template <class Clock>
constexpr date time_value<Clock>::day() const {
  if (!is_finite())
    return microseconds > 0 ? date::infinity() : date::minus_infinity();
  return {static_cast<std::int32_t>((microseconds - time_of_day().count()) / microseconds_of_day)};
}

template <class Clock>
constexpr std::chrono::microseconds time_value<Clock>::time_of_day() const {
  const auto rest = is_finite() ? microseconds % microseconds_of_day : 0;
  return std::chrono::microseconds{rest < 0 ? rest + microseconds_of_day : rest};
}

template <class Clock>
constexpr auto time_value<Clock>::to_chrono() const -> std::optional<chrono_type> {
  // From 1970 to 2000.
  constexpr std::int64_t epoch = 10'957 * microseconds_of_day;
  if (!is_finite() || microseconds > std::numeric_limits<std::int64_t>::max() - epoch)
    return std::nullopt;
  return chrono_type{std::chrono::microseconds{microseconds + epoch}};
}

} // namespace replicant
