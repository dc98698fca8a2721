// SPDX-License-Identifier: MIT
#include "replicant/core/values/numeric.hpp"

#include "replicant/core/values/digits.hpp"
#include "replicant/core/values/text_cursor.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace replicant {

namespace {

constexpr std::uint16_t sign_positive = 0x0000;
constexpr std::uint16_t sign_negative = 0x4000;
constexpr std::uint16_t sign_nan = 0xC000;
constexpr std::uint16_t sign_infinity = 0xD000;
constexpr std::uint16_t sign_minus_infinity = 0xF000;
constexpr std::uint16_t base = 10'000;
constexpr int group_digits = 4; ///< Decimal digits in one of base 10000.
constexpr int largest_scale = 0x3FFF;

bool are_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_digit);
}

bool are_groups(std::string_view bytes) {
  for (byte_reader in{bytes}; in.left() != 0;)
    if (in.u16() >= base)
      return false;
  return true;
}

/// A sum of digits that knows when it has become too large.
class accumulator {
public:
  void add(std::uint64_t factor, std::uint64_t digits) {
    fits_ = fits_ && !__builtin_mul_overflow(sum_, factor, &sum_) &&
            !__builtin_add_overflow(sum_, digits, &sum_);
  }

  void add(std::string_view digits) {
    for (const auto c : digits)
      add(10, static_cast<std::uint64_t>(c - '0'));
  }

  [[nodiscard]] std::optional<std::int64_t> sum(bool negative) const {
    const auto most =
      static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) + (negative ? 1 : 0);
    if (!fits_ || sum_ > most)
      return std::nullopt;
    return static_cast<std::int64_t>(negative ? 0 - sum_ : sum_);
  }

private:
  std::uint64_t sum_ = 0;
  bool fits_ = true;
};

} // namespace

std::optional<numeric> numeric::parse(std::string_view text) {
  if (text == "NaN")
    return numeric{numeric_kind::nan};
  if (text == "Infinity")
    return numeric{numeric_kind::infinity};
  if (text == "-Infinity")
    return numeric{numeric_kind::minus_infinity};
  numeric found{numeric_kind::finite};
  found.negative_ = text.starts_with('-');
  text.remove_prefix(found.negative_ ? 1 : 0);
  const auto point = text.find('.');
  found.whole_ = text.substr(0, point);
  if (!are_digits(found.whole_) || (found.whole_.size() > 1 && found.whole_.front() == '0'))
    return std::nullopt;
  if (point != std::string_view::npos) {
    found.fraction_ = text.substr(point + 1);
    if (!are_digits(found.fraction_) || found.fraction_.size() > largest_scale)
      return std::nullopt;
  }
  found.scale_ = static_cast<int>(found.fraction_.size());
  return found;
}

numeric numeric::read(byte_reader& in) {
  const std::size_t count = in.u16();
  const int weight = static_cast<std::int16_t>(in.u16());
  const auto sign = in.u16();
  const int scale = in.u16();
  const auto groups = in.bytes(2 * count);
  switch (sign) {
    case sign_nan: return numeric{numeric_kind::nan};
    case sign_infinity: return numeric{numeric_kind::infinity};
    case sign_minus_infinity: return numeric{numeric_kind::minus_infinity};
    case sign_positive:
    case sign_negative: break;
    default: in.fail();
  }
  if (scale > largest_scale || !are_groups(groups))
    in.fail();
  numeric found{numeric_kind::finite};
  found.negative_ = sign == sign_negative;
  found.binary_ = true;
  found.scale_ = scale;
  found.weight_ = weight;
  found.groups_ = groups;
  return found;
}

std::optional<std::int64_t> numeric::unscaled() const {
  if (kind_ != numeric_kind::finite)
    return std::nullopt;
  accumulator digits;
  if (!binary_) {
    digits.add(whole_);
    digits.add(fraction_);
    return digits.sum(negative_);
  }
  for (int place = std::max(weight_, 0); place >= -scale_ / group_digits; --place)
    digits.add(base, group(place));
  // The last group may hold more digits than the scale wants.
  auto last = group(-scale_ / group_digits - 1);
  std::uint16_t factor = 1;
  for (int digit = 0; digit < scale_ % group_digits; ++digit)
    factor = static_cast<std::uint16_t>(factor * 10);
  last = static_cast<std::uint16_t>(last / (base / factor));
  digits.add(factor, last);
  return digits.sum(negative_);
}

void numeric::append_digits(std::string& out) const {
  if (kind_ != numeric_kind::finite)
    return;
  append_whole(out);
  append_fraction(out);
}

void numeric::append_text(std::string& out) const {
  switch (kind_) {
    case numeric_kind::nan: out += "NaN"; return;
    case numeric_kind::infinity: out += "Infinity"; return;
    case numeric_kind::minus_infinity: out += "-Infinity"; return;
    case numeric_kind::finite: break;
  }
  if (negative_)
    out += '-';
  append_whole(out);
  if (scale_ == 0)
    return;
  out += '.';
  append_fraction(out);
}

/// The group that counts 10000^place; zeros go on for ever on both sides.
std::uint16_t numeric::group(int place) const {
  const auto index = static_cast<std::size_t>(weight_ - place);
  if (place > weight_ || index >= groups_.size() / 2)
    return 0;
  return byte_reader{groups_.substr(2 * index, 2)}.u16();
}

void numeric::append_whole(std::string& out) const {
  if (!binary_) {
    out += whole_;
    return;
  }
  append_decimal(out, group(std::max(weight_, 0)));
  for (int place = weight_ - 1; place >= 0; --place)
    append_padded(out, group(place), group_digits);
}

void numeric::append_fraction(std::string& out) const {
  if (!binary_) {
    out += fraction_;
    return;
  }
  const auto end = out.size() + static_cast<std::size_t>(scale_);
  for (int place = -1; out.size() < end; --place)
    append_padded(out, group(place), group_digits);
  out.resize(end);
}

} // namespace replicant
