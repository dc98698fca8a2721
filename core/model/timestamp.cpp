// SPDX-License-Identifier: MIT
#include "replicant/core/model/timestamp.hpp"

#include <array>
#include <cstdio>

namespace replicant {

namespace {

constexpr std::chrono::sys_days postgres_epoch{std::chrono::year{2000} / 1 / 1};

} // namespace

std::string to_string(timestamp moment) {
  using namespace std::chrono;
  const auto since = microseconds{moment.microseconds};
  const auto whole_days = floor<days>(since);
  const year_month_day date{postgres_epoch + whole_days};
  const hh_mm_ss time{since - whole_days};
  std::array<char, 64> text{};
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): every argument is a number of the type
  // named.
  const auto length = std::snprintf(
    text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%06dZ", static_cast<int>(date.year()),
    static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
    static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()),
    static_cast<int>(time.seconds().count()), static_cast<int>(time.subseconds().count()));
  return {text.data(), static_cast<std::size_t>(length)};
}

timestamp to_timestamp(std::chrono::system_clock::time_point moment) {
  using namespace std::chrono;
  return {duration_cast<microseconds>(moment - sys_days{postgres_epoch}).count()};
}

} // namespace replicant
