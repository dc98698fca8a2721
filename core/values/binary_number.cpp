// SPDX-License-Identifier: MIT
#include "replicant/core/values/binary_number.hpp"

#include "replicant/core/values/digits.hpp"
#include "replicant/core/values/float_text.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string_view>

namespace replicant {

namespace {

constexpr std::uint16_t numeric_positive = 0x0000;
constexpr std::uint16_t numeric_negative = 0x4000;
constexpr std::uint16_t numeric_nan = 0xC000;
constexpr std::uint16_t numeric_infinity = 0xD000;
constexpr std::uint16_t numeric_minus_infinity = 0xF000;
constexpr std::uint16_t numeric_base = 10'000;
constexpr int numeric_group = 4; ///< Decimal digits in one of base 10000.
constexpr int numeric_largest_scale = 0x3FFF;

/// The digits of a numeric in base 10000; zeros go on for ever on both sides.
class numeric_digits {
public:
  numeric_digits(std::string_view bytes, int weight) : bytes_{bytes}, weight_{weight} {}

  /// The digit that counts 10000^place.
  [[nodiscard]] std::uint16_t at(int place) const {
    if (place > weight_ || static_cast<std::size_t>(weight_ - place) >= count())
      return 0;
    return digit(static_cast<std::size_t>(weight_ - place));
  }

  [[nodiscard]] bool valid() const {
    for (std::size_t index = 0; index < count(); ++index)
      if (digit(index) >= numeric_base)
        return false;
    return true;
  }

private:
  [[nodiscard]] std::size_t count() const { return bytes_.size() / 2; }

  [[nodiscard]] std::uint16_t digit(std::size_t index) const {
    return byte_reader{bytes_.substr(2 * index, 2)}.u16();
  }

  std::string_view bytes_;
  int weight_;
};

void append_numeric(std::string& out, const numeric_digits& digits, int weight, int scale) {
  append_decimal(out, digits.at(std::max(weight, 0)));
  for (int place = weight - 1; place >= 0; --place)
    append_padded(out, digits.at(place), numeric_group);
  if (scale == 0)
    return;
  out += '.';
  const auto end = out.size() + static_cast<std::size_t>(scale);
  for (int place = -1; out.size() < end; --place)
    append_padded(out, digits.at(place), numeric_group);
  out.resize(end);
}

} // namespace

void print_bool(std::string& out, byte_reader& in) {
  const auto value = in.u8();
  if (value > 1)
    in.fail();
  out += value == 0 ? 'f' : 't';
}

void print_int2(std::string& out, byte_reader& in) {
  append_decimal(out, static_cast<std::int16_t>(in.u16()));
}

void print_int4(std::string& out, byte_reader& in) {
  append_decimal(out, in.i32());
}

void print_int8(std::string& out, byte_reader& in) {
  append_decimal(out, in.i64());
}

void print_oid(std::string& out, byte_reader& in) {
  append_decimal(out, in.u32());
}

void print_xid8(std::string& out, byte_reader& in) {
  append_decimal(out, in.u64());
}

void print_float4(std::string& out, byte_reader& in) {
  append_float(out, std::bit_cast<float>(in.u32()));
}

void print_float8(std::string& out, byte_reader& in) {
  append_float(out, std::bit_cast<double>(in.u64()));
}

void print_numeric(std::string& out, byte_reader& in) {
  const auto count = in.u16();
  const int weight = static_cast<std::int16_t>(in.u16());
  const auto sign = in.u16();
  const int scale = in.u16();
  const numeric_digits digits{in.bytes(std::size_t{2} * count), weight};
  switch (sign) {
    case numeric_nan: out += "NaN"; return;
    case numeric_infinity: out += "Infinity"; return;
    case numeric_minus_infinity: out += "-Infinity"; return;
    case numeric_positive: break;
    case numeric_negative: out += '-'; break;
    default: in.fail();
  }
  if (scale > numeric_largest_scale || !digits.valid())
    in.fail();
  if (!in.failed())
    append_numeric(out, digits, weight, scale);
}

void print_money(std::string& out, byte_reader& in) {
  const auto cents = in.i64();
  const auto size =
    cents < 0 ? 0 - static_cast<std::uint64_t>(cents) : static_cast<std::uint64_t>(cents);
  out += cents < 0 ? "-$" : "$";
  const auto start = out.size();
  append_decimal(out, size / 100);
  for (auto length = out.size() - start; length > 3; length -= 3)
    out.insert(start + length - 3, 1, ',');
  out += '.';
  append_padded(out, size % 100, 2);
}

} // namespace replicant
