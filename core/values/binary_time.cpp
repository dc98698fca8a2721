// SPDX-License-Identifier: MIT
#include "replicant/core/values/binary_time.hpp"

#include "replicant/core/values/digits.hpp"
#include "replicant/core/values/time_limits.hpp"

#include <chrono>
#include <cstdint>
#include <string_view>

namespace replicant {

namespace {

constexpr std::uint64_t second = 1'000'000;
constexpr std::uint64_t minute = 60 * second;
constexpr std::uint64_t hour = 60 * minute;

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

void append_time(std::string& out, std::chrono::microseconds time) {
  append_time(out, static_cast<std::uint64_t>(time.count()));
}

/// @returns whether `value` is infinite.
template <class Value>
bool append_infinite(std::string& out, const Value& value) {
  if (value.is_finite())
    return false;
  out += value == Value::infinity() ? "infinity" : "-infinity";
  return true;
}

template <class Moment>
void append_moment(std::string& out, Moment moment, std::string_view zone) {
  if (append_infinite(out, moment))
    return;
  const auto date = calendar_day::of(moment.day().days);
  append_day(out, date);
  out += ' ';
  append_time(out, moment.time_of_day());
  out += zone;
  append_era(out, date);
}

template <class Moment>
Moment read_moment(byte_reader& in) {
  const Moment found{in.i64()};
  if (found.is_finite() && !is_timestamp(found.microseconds))
    in.fail();
  return found;
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

  void add_time(std::chrono::microseconds time) {
    const auto count = time.count();
    if (count == 0 && !empty_)
      return;
    separate();
    if (count < 0)
      out_ += '-';
    else if (after_negative_)
      out_ += '+';
    const auto bits = static_cast<std::uint64_t>(count);
    append_time(out_, count < 0 ? 0 - bits : bits);
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

date read_date(byte_reader& in) {
  const date found{in.i32()};
  if (found.is_finite() && !is_date(found.days))
    in.fail();
  return found;
}

std::chrono::microseconds read_time(byte_reader& in) {
  const std::chrono::microseconds found{in.i64()};
  if (!is_time_of_day(found))
    in.fail();
  return found;
}

zoned_time read_zoned_time(byte_reader& in) {
  const auto time = read_time(in);
  const std::chrono::seconds west{in.i32()};
  if (!is_offset(west))
    in.fail();
  return {.time = time, .offset = -west};
}

date_time read_date_time(byte_reader& in) {
  return read_moment<date_time>(in);
}

instant read_instant(byte_reader& in) {
  return read_moment<instant>(in);
}

interval read_interval(byte_reader& in) {
  const std::chrono::microseconds time{in.i64()};
  const auto days = in.i32();
  const auto months = in.i32();
  return {.months = months, .days = days, .time = time};
}

void print_date(std::string& out, byte_reader& in) {
  const auto found = read_date(in);
  if (in.failed() || append_infinite(out, found))
    return;
  const auto date = calendar_day::of(found.days);
  append_day(out, date);
  append_era(out, date);
}

void print_time(std::string& out, byte_reader& in) {
  if (const auto time = read_time(in); !in.failed())
    append_time(out, time);
}

void print_timetz(std::string& out, byte_reader& in) {
  const auto [time, zone] = read_zoned_time(in);
  if (in.failed())
    return;
  append_time(out, time);
  out += zone.count() < 0 ? '-' : '+';
  const auto offset = static_cast<std::uint64_t>(std::chrono::abs(zone).count());
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
  if (const auto moment = read_date_time(in); !in.failed())
    append_moment(out, moment, "");
}

void print_timestamptz(std::string& out, byte_reader& in) {
  if (const auto moment = read_instant(in); !in.failed())
    append_moment(out, moment, "+00");
}

void print_interval(std::string& out, byte_reader& in) {
  const auto found = read_interval(in);
  if (append_infinite(out, found))
    return;
  interval_writer parts{out};
  parts.add(found.months / 12, "year");
  parts.add(found.months % 12, "mon");
  parts.add(found.days, "day");
  parts.add_time(found.time);
}

} // namespace replicant
