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

std::optional<timestamp> parse_timestamp(std::string_view text) {
  using namespace std::chrono;
  int year_number = 0;
  unsigned month_number = 0;
  unsigned day_number = 0;
  std::array<int, 4> clock{};
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg,cert-err34-c): what is read is compared below.
  const auto read =
    std::sscanf(std::string{text}.c_str(), "%4d-%2u-%2uT%2d:%2d:%2d.%6dZ", &year_number,
                &month_number, &day_number, clock.data(), &clock[1], &clock[2], &clock[3]);
  const auto date = year{year_number} / month{month_number} / day{day_number};
  if (read != 7 || !date.ok())
    return std::nullopt;
  const auto since = sys_days{date} - postgres_epoch + hours{clock[0]} + minutes{clock[1]} +
                     seconds{clock[2]} + microseconds{clock[3]};
  const timestamp found{duration_cast<microseconds>(since).count()};
  return to_string(found) == text ? std::optional{found} : std::nullopt;
}

timestamp to_timestamp(std::chrono::system_clock::time_point moment) {
  using namespace std::chrono;
  return {duration_cast<microseconds>(moment - sys_days{postgres_epoch}).count()};
}

} // namespace replicant
