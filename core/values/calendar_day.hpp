// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>

namespace replicant {

/// A day of the proleptic Gregorian calendar, of any year.
struct calendar_day {
  std::int64_t year = 2000; ///< Astronomical: 0 is 1 BC, -1 is 2 BC.
  unsigned month = 1;       ///< From 1.
  unsigned day = 1;         ///< From 1.

  friend constexpr bool operator==(const calendar_day&, const calendar_day&) = default;

  [[nodiscard]] static constexpr calendar_day of(std::int64_t since_2000);

  [[nodiscard]] constexpr bool exists() const { return in_cycle().ok(); }

  /// Days since 2000-01-01 of a day that exists.
  [[nodiscard]] constexpr std::int64_t since_2000() const;

private:
  // The calendar repeats itself every 400 years, and std::chrono knows too few of them.
  static constexpr std::int64_t years_of_cycle = 400;
  static constexpr std::int64_t days_of_cycle = 146'097;
  static constexpr std::chrono::sys_days first{std::chrono::year{2000} / 1 / 1};

  /// @returns `number` modulo `divisor`, never negative.
  [[nodiscard]] static constexpr std::int64_t rest(std::int64_t number, std::int64_t divisor) {
    return (number % divisor + divisor) % divisor;
  }

  [[nodiscard]] constexpr std::chrono::year_month_day in_cycle() const {
    return std::chrono::year{static_cast<int>(2000 + rest(year, years_of_cycle))} /
           std::chrono::month{month} / std::chrono::day{day};
  }
};

constexpr calendar_day calendar_day::of(std::int64_t since_2000) {
  const auto offset = rest(since_2000, days_of_cycle);
  const std::chrono::year_month_day found{first + std::chrono::days{offset}};
  return {.year =
            static_cast<int>(found.year()) + (since_2000 - offset) / days_of_cycle * years_of_cycle,
          .month = static_cast<unsigned>(found.month()),
          .day = static_cast<unsigned>(found.day())};
}

constexpr std::int64_t calendar_day::since_2000() const {
  const auto cycles = (year - 2000 - rest(year, years_of_cycle)) / years_of_cycle;
  return cycles * days_of_cycle + (std::chrono::sys_days{in_cycle()} - first).count();
}

} // namespace replicant
