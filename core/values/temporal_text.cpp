// SPDX-License-Identifier: MIT
#include "replicant/core/values/temporal_text.hpp"

#include "replicant/core/values/text_cursor.hpp"
#include "replicant/core/values/time_limits.hpp"

#include <cstdint>
#include <limits>

namespace replicant {

namespace {

/// Reads "infinity" and "-infinity", whatever type they belong to.
template <class Value>
std::optional<Value> parse_infinite(std::string_view text) {
  if (text == "infinity")
    return Value::infinity();
  if (text == "-infinity")
    return Value::minus_infinity();
  return std::nullopt;
}

calendar_day read_day(text_cursor& in) {
  calendar_day found;
  found.year = static_cast<std::int64_t>(in.number(4, 7));
  in.expect('-');
  found.month = static_cast<unsigned>(in.number(2, 2));
  in.expect('-');
  found.day = static_cast<unsigned>(in.number(2, 2));
  return found;
}

/// The era, which stands behind everything else, makes `written` complete. @returns days since
/// 2000-01-01.
std::int64_t finish_day(text_cursor& in, calendar_day written) {
  if (written.year == 0)
    in.fail();
  if (in.take(" BC"))
    written.year = 1 - written.year;
  if (!in.finished() || !written.exists()) {
    in.fail();
    return 0;
  }
  return written.since_2000();
}

/// Up to six digits behind a point.
std::uint64_t read_fraction(text_cursor& in) {
  if (!in.take("."))
    return 0;
  const auto before = in.left();
  auto fraction = in.number(1, 6);
  for (auto digits = before - in.left(); digits < 6; ++digits)
    fraction *= 10;
  return fraction;
}

/// In microseconds; hours may have more digits than two, and as many as an interval can have.
std::uint64_t read_clock(text_cursor& in, std::size_t most_digits) {
  constexpr std::uint64_t most_hours = 2'562'047'788;
  constexpr std::uint64_t second = 1'000'000;
  const auto hours = in.number(2, most_digits);
  in.expect(':');
  const auto minutes = in.number(2, 2);
  in.expect(':');
  const auto seconds = in.number(2, 2);
  const auto fraction = read_fraction(in);
  if (hours > most_hours || minutes > 59 || seconds > 59) {
    in.fail();
    return 0;
  }
  return ((hours * 60 + minutes) * 60 + seconds) * second + fraction;
}

std::chrono::microseconds read_time(text_cursor& in) {
  const std::chrono::microseconds time{static_cast<std::int64_t>(read_clock(in, 2))};
  if (!is_time_of_day(time))
    in.fail();
  return time;
}

std::chrono::seconds read_offset(text_cursor& in) {
  const auto west = in.take("-");
  if (!west)
    in.expect('+');
  auto seconds = in.number(2, 2) * 3600;
  if (in.take(":")) {
    seconds += in.number(2, 2) * 60;
    if (in.take(":"))
      seconds += in.number(2, 2);
  }
  const std::chrono::seconds offset{static_cast<std::int64_t>(seconds)};
  if (!is_offset(offset))
    in.fail();
  return west ? -offset : offset;
}

/// How a moment is written: with the offset of a zone or without.
enum class zone : std::uint8_t {
  none,
  written,
};

template <class Moment>
std::optional<Moment> parse_moment(std::string_view text, zone offset_is) {
  if (const auto infinite = parse_infinite<Moment>(text))
    return infinite;
  text_cursor in{text};
  const auto written = read_day(in);
  in.expect(' ');
  const auto time = read_time(in);
  const auto offset = offset_is == zone::written ? read_offset(in) : std::chrono::seconds{0};
  const auto days = finish_day(in, written);
  // Days that no timestamp has could be too many to count in microseconds.
  if (in.failed() || days < first_day - 1 || days > end_of_timestamps)
    return std::nullopt;
  const auto since_midnight = time - std::chrono::microseconds{offset};
  const Moment found{days * microseconds_of_day + since_midnight.count()};
  return is_timestamp(found.microseconds) ? std::optional{found} : std::nullopt;
}

/// Collects the parts of an interval, in the order in which they are written.
class interval_reader {
public:
  explicit interval_reader(text_cursor& in) : in_{in} {}

  interval read() {
    for (in_.expect_more(); in_.left() != 0; separate()) {
      const auto negative = take_sign();
      if (in_.digits_before(':'))
        read_clock_part(negative);
      else
        read_counted_part(negative);
    }
    found_.months = narrow(months_);
    found_.days = narrow(days_);
    return found_;
  }

private:
  enum class part : std::uint8_t {
    none,
    years,
    months,
    days,
    time,
  };

  bool take_sign() {
    const auto negative = in_.take("-");
    if (!negative)
      static_cast<void>(in_.take("+"));
    return negative;
  }

  void separate() {
    if (in_.left() == 0)
      return;
    in_.expect(' ');
    in_.expect_more();
  }

  void read_counted_part(bool negative) {
    const auto size = static_cast<std::int64_t>(in_.number(1, 10));
    const auto count = negative ? -size : size;
    if (in_.take(" year"))
      begin(part::years), months_ += 12 * count;
    else if (in_.take(" mon"))
      begin(part::months), months_ += count;
    else if (in_.take(" day"))
      begin(part::days), days_ += count;
    else
      in_.fail();
    if (count != 1)
      in_.expect('s');
  }

  void read_clock_part(bool negative) {
    begin(part::time);
    const auto size = read_clock(in_, 10);
    const auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (size > most + (negative ? 1 : 0))
      return in_.fail();
    found_.time = std::chrono::microseconds{static_cast<std::int64_t>(negative ? 0 - size : size)};
  }

  /// Every part comes once, the larger ones first.
  void begin(part next) {
    if (next <= last_)
      in_.fail();
    last_ = next;
  }

  std::int32_t narrow(std::int64_t count) {
    const auto fitting = static_cast<std::int32_t>(count);
    if (fitting != count)
      in_.fail();
    return fitting;
  }

  text_cursor& in_;
  interval found_;
  std::int64_t months_ = 0;
  std::int64_t days_ = 0;
  part last_ = part::none;
};

} // namespace

std::optional<date> parse_date(std::string_view text) {
  if (const auto infinite = parse_infinite<date>(text))
    return infinite;
  text_cursor in{text};
  const auto written = read_day(in);
  const auto days = finish_day(in, written);
  if (in.failed() || !is_date(days))
    return std::nullopt;
  return date{static_cast<std::int32_t>(days)};
}

std::optional<std::chrono::microseconds> parse_time(std::string_view text) {
  text_cursor in{text};
  const auto time = read_time(in);
  return in.finished() ? std::optional{time} : std::nullopt;
}

std::optional<date_time> parse_date_time(std::string_view text) {
  return parse_moment<date_time>(text, zone::none);
}

std::optional<instant> parse_instant(std::string_view text) {
  return parse_moment<instant>(text, zone::written);
}

std::optional<zoned_time> parse_zoned_time(std::string_view text) {
  text_cursor in{text};
  zoned_time found;
  found.time = read_time(in);
  found.offset = read_offset(in);
  return in.finished() ? std::optional{found} : std::nullopt;
}

std::optional<interval> parse_interval(std::string_view text) {
  if (const auto infinite = parse_infinite<interval>(text))
    return infinite;
  text_cursor in{text};
  const auto found = interval_reader{in}.read();
  return in.finished() ? std::optional{found} : std::nullopt;
}

} // namespace replicant
