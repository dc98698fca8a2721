// SPDX-License-Identifier: MIT
#include "replicant/core/values/binary_time.hpp"

#include "replicant/core/values/digits.hpp"

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string_view>

namespace replicant {

namespace {

constexpr std::int64_t second = 1'000'000;
constexpr std::int64_t minute = 60 * second;
constexpr std::int64_t hour = 60 * minute;
constexpr std::int64_t day = 24 * hour;

// What the server can store: from Julian day 0 on; dates go further than timestamps.
constexpr std::int64_t first_day = -2'451'545;
constexpr std::int64_t end_of_dates = 2'145'031'949;
constexpr std::int64_t end_of_timestamps = 106'751'983;
constexpr std::int32_t end_of_offsets = 16 * 3600;

/// A day of the proleptic Gregorian calendar; year 0 is 1 BC.
struct calendar_day {
  explicit calendar_day(std::int64_t since_2000) {
    // The calendar repeats itself every 400 years, and std::chrono knows too few of them.
    constexpr std::int64_t cycle = 146'097;
    const auto offset = (since_2000 % cycle + cycle) % cycle;
    using namespace std::chrono;
    const year_month_day in_cycle{sys_days{2000y / January / 1} + days{offset}};
    year = static_cast<int>(in_cycle.year()) + (since_2000 - offset) / cycle * 400;
    month = static_cast<unsigned>(in_cycle.month());
    day = static_cast<unsigned>(in_cycle.day());
  }

  std::int64_t year;
  unsigned month;
  unsigned day;
};

void append_day(std::string& out, const calendar_day& date) {
  append_padded(out, static_cast<std::uint64_t>(date.year > 0 ? date.year : 1 - date.year), 4);
  out += '-';
  append_padded(out, date.month, 2);
  out += '-';
  append_padded(out, date.day, 2);
}

/// Comes last, behind a time and its zone.
void append_era(std::string& out, const calendar_day& date) {
  if (date.year <= 0)
    out += " BC";
}

/// Hours may have more than two digits. `time` is not negative.
void append_time(std::string& out, std::uint64_t time) {
  append_padded(out, time / hour, 2);
  out += ':';
  append_padded(out, time % hour / minute, 2);
  out += ':';
  append_padded(out, time % minute / second, 2);
  if (const auto fraction = time % second; fraction != 0) {
    out += '.';
    append_padded(out, fraction, 6);
    out.resize(out.find_last_not_of('0') + 1);
  }
}

/// Of a day: from midnight to midnight, both included.
void append_day_time(std::string& out, byte_reader& in) {
  const auto time = in.i64();
  if (time < 0 || time > day)
    in.fail();
  else
    append_time(out, static_cast<std::uint64_t>(time));
}

/// The largest and the smallest number stand for the infinite ones. @returns whether it was one.
template <class Number>
bool append_infinite(std::string& out, Number value) {
  const auto positive = value == std::numeric_limits<Number>::max();
  if (!positive && value != std::numeric_limits<Number>::min())
    return false;
  out += positive ? "infinity" : "-infinity";
  return true;
}

void append_moment(std::string& out, byte_reader& in, std::string_view zone) {
  const auto moment = in.i64();
  if (append_infinite(out, moment))
    return;
  if (moment < first_day * day || moment >= end_of_timestamps * day)
    return in.fail();
  const auto since_midnight = (moment % day + day) % day;
  const calendar_day date{(moment - since_midnight) / day};
  append_day(out, date);
  out += ' ';
  append_time(out, static_cast<std::uint64_t>(since_midnight));
  out += zone;
  append_era(out, date);
}

/// Writes the parts of an interval in order; what a part's sign is written as depends on the one
/// before it.
class interval_writer {
public:
  explicit interval_writer(std::string& out) : out_{out} {}

  void add(std::int32_t count, std::string_view unit) {
    if (count == 0)
      return;
    separate();
    if (after_negative_ && count > 0)
      out_ += '+';
    append_decimal(out_, count);
    out_ += ' ';
    out_ += unit;
    if (count != 1)
      out_ += 's';
    after_negative_ = count < 0;
  }

  void add_time(std::int64_t time) {
    if (time == 0 && !empty_)
      return;
    separate();
    if (time < 0)
      out_ += '-';
    else if (after_negative_)
      out_ += '+';
    const auto bits = static_cast<std::uint64_t>(time);
    append_time(out_, time < 0 ? 0 - bits : bits);
  }

private:
  void separate() {
    if (!empty_)
      out_ += ' ';
    empty_ = false;
  }

  std::string& out_;
  bool empty_ = true;
  bool after_negative_ = false;
};

} // namespace

void print_date(std::string& out, byte_reader& in) {
  const auto since_2000 = in.i32();
  if (append_infinite(out, since_2000))
    return;
  if (since_2000 < first_day || since_2000 >= end_of_dates)
    return in.fail();
  const calendar_day date{since_2000};
  append_day(out, date);
  append_era(out, date);
}

void print_time(std::string& out, byte_reader& in) {
  append_day_time(out, in);
}

void print_timetz(std::string& out, byte_reader& in) {
  append_day_time(out, in);
  const auto west = in.i32();
  if (west <= -end_of_offsets || west >= end_of_offsets)
    return in.fail();
  const auto offset = static_cast<std::uint64_t>(std::abs(west));
  out += west > 0 ? '-' : '+';
  append_padded(out, offset / 3600, 2);
  if (offset % 3600 == 0)
    return;
  out += ':';
  append_padded(out, offset % 3600 / 60, 2);
  if (offset % 60 == 0)
    return;
  out += ':';
  append_padded(out, offset % 60, 2);
}

void print_timestamp(std::string& out, byte_reader& in) {
  append_moment(out, in, "");
}

void print_timestamptz(std::string& out, byte_reader& in) {
  append_moment(out, in, "+00");
}

void print_interval(std::string& out, byte_reader& in) {
  const auto time = in.i64();
  const auto days = in.i32();
  const auto months = in.i32();
  if (const auto extreme = time < 0 ? std::numeric_limits<std::int32_t>::min()
                                    : std::numeric_limits<std::int32_t>::max();
      days == extreme && months == extreme && append_infinite(out, time))
    return;
  interval_writer parts{out};
  parts.add(months / 12, "year");
  parts.add(months % 12, "mon");
  parts.add(days, "day");
  parts.add_time(time);
}

} // namespace replicant
