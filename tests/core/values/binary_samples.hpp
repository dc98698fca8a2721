// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/values/type_shape.hpp"
#include "replicant/tests/support/wire_bytes.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace replicant::test {

inline type_shape scalar(std::uint32_t oid) {
  return {.reads_as = oid};
}

inline type_shape containing(type_kind kind, type_shape element, char delimiter = ',') {
  return {.kind = kind,
          .element = std::make_shared<const type_shape>(std::move(element)),
          .delimiter = delimiter};
}

/// The beginning of an array's binary form: sizes and lower bounds by dimension.
inline wire_bytes array_of(std::uint32_t element,
                           const std::vector<std::pair<std::uint32_t, std::uint32_t>>& dimensions) {
  wire_bytes out;
  out.u32(static_cast<std::uint32_t>(dimensions.size())).u32(0).u32(element);
  for (const auto& [size, first] : dimensions)
    out.u32(size).u32(first);
  return out;
}

/// A value's binary form and its text.
struct binary_sample {
  type_shape type;
  std::string bytes;
  std::string text;
};

constexpr std::uint32_t no_value = 0xFFFFFFFFU; ///< Length of a NULL.

/// Values whose binary form says how long it is, so that nothing can be cut off or added unnoticed.
inline std::vector<binary_sample> sized_scalars() {
  const auto minus = [](auto number) { return static_cast<std::uint64_t>(-number); };
  const std::string one(1, 1);
  const auto point = wire_bytes{}.u64(0x3FF0000000000000).u64(0x8000000000000000).str();
  return {
    {scalar(16), one, "t"},
    {scalar(18), "x", "x"},
    {scalar(18), "\xE9", "\\351"},
    {scalar(18), std::string(1, 0), ""},
    {scalar(20), wire_bytes{}.u64(minus(42)).str(), "-42"},
    {scalar(21), wire_bytes{}.u16(-32768).str(), "-32768"},
    {scalar(23), wire_bytes{}.u32(no_value).str(), "-1"},
    {scalar(26), wire_bytes{}.u32(no_value).str(), "4294967295"},
    {scalar(5069), wire_bytes{}.u64(minus(1)).str(), "18446744073709551615"},
    {scalar(700), wire_bytes{}.u32(0x49742400).str(), "1e+06"},
    {scalar(701), wire_bytes{}.u64(0x8000000000000000).str(), "-0"},
    {scalar(701), wire_bytes{}.u64(0x3F1A36E2EB1C432D).str(), "0.0001"},
    {scalar(701), wire_bytes{}.u64(0x44B52D02C7E14AF6).str(), "9.999999999999999e+22"},
    {scalar(701), wire_bytes{}.u64(0x7FF8000000000000).str(), "NaN"},
    {scalar(1700), wire_bytes{}.u16(2).u16(0).u16(0x4000).u16(3).u16(1).u16(5000).str(), "-1.500"},
    {scalar(1700), wire_bytes{}.u16(1).u16(1).u16(0).u16(0).u16(12).str(), "120000"},
    {scalar(1700), wire_bytes{}.u16(1).u16(-2).u16(0).u16(8).u16(7).str(), "0.00000007"},
    {scalar(1700), wire_bytes{}.u16(0).u16(0).u16(0xD000).u16(32).str(), "Infinity"},
    {scalar(790), wire_bytes{}.u64(minus(123456789)).str(), "-$1,234,567.89"},
    {scalar(1082), wire_bytes{}.u32(0).str(), "2000-01-01"},
    {scalar(1082), wire_bytes{}.u32(0x7FFFFFFF).str(), "infinity"},
    {scalar(1082), wire_bytes{}.u32(static_cast<std::uint32_t>(-2451545)).str(), "4714-11-24 BC"},
    {scalar(1083), wire_bytes{}.u64(86'400'000'000).str(), "24:00:00"},
    {scalar(1266), wire_bytes{}.u64(500'000).u32(static_cast<std::uint32_t>(-19801)).str(),
     "00:00:00.5+05:30:01"},
    {scalar(1114), wire_bytes{}.u64(minus(1)).str(), "1999-12-31 23:59:59.999999"},
    {scalar(1184), wire_bytes{}.u64(0).str(), "2000-01-01 00:00:00+00"},
    {scalar(1186), wire_bytes{}.u64(11'045'600'000).u32(minus(2) & no_value).u32(13).str(),
     "1 year 1 mon -2 days +03:04:05.6"},
    {scalar(2950), "0123456789abcdef", "30313233-3435-3637-3839-616263646566"},
    {scalar(869), wire_bytes{}.u8(2).u8(24).u8(0).u8(4).raw("\x0A\x01\x02\x03").str(),
     "10.1.2.3/24"},
    {scalar(650), wire_bytes{}.u8(3).u8(128).u8(1).u8(16).u64(0).u64(1).str(), "::1/128"},
    {scalar(829), "abcdef", "61:62:63:64:65:66"},
    {scalar(1562), wire_bytes{}.u32(9).u16(0xA080).str(), "101000001"},
    {scalar(600), point, "(1,-0)"},
    {scalar(603), point + point, "(1,-0),(1,-0)"},
    {scalar(602), wire_bytes{}.u8(0).u32(1).raw(point).str(), "[(1,-0)]"},
    {scalar(604), wire_bytes{}.u32(2).raw(point).raw(point).str(), "((1,-0),(1,-0))"},
    {scalar(718), point + point.substr(0, 8), "<(1,-0),1>"},
    {scalar(3614),
     wire_bytes{}.u32(2).text("it's").u16(2).u16(0xC001).u16(2).text("\\").u16(0).str(),
     "'it''s':1A,2 '\\\\'"},
    {scalar(3615),
     wire_bytes{}
       .u32(3)
       .u16(0x0204)
       .u16(3)
       .u8(1)
       .u8(9)
       .u8(1)
       .text("b")
       .u8(1)
       .u8(0)
       .u8(0)
       .text("a")
       .str(),
     "'a' <3> 'b':*AD"},
    {scalar(27), wire_bytes{}.u32(7).u16(9).str(), "(7,9)"},
    {scalar(3220), wire_bytes{}.u64(0x1600000ABC).str(), "16/ABC"},
    {scalar(5038), wire_bytes{}.u32(2).u64(10).u64(20).u64(11).u64(12).str(), "10:20:11,12"},
    {scalar(22), array_of(21, {{2, 0}}).u32(2).u16(5).u32(2).u16(-6).str(), "5 -6"},
  };
}

inline std::vector<binary_sample> containers() {
  const auto numbers = containing(type_kind::array, scalar(23));
  const auto texts = containing(type_kind::array, scalar(25));
  const auto range = containing(type_kind::range, scalar(25));
  const auto bounds = wire_bytes{}.u8(2).u32(1).raw("a").u32(3).raw("a\"b").str();
  const auto half = wire_bytes{}.u8(8).u32(0).str();
  return {
    {numbers, array_of(23, {}).str(), "{}"},
    {numbers, array_of(23, {{2, 0}}).u32(4).u32(7).u32(no_value).str(), "[0:1]={7,NULL}"},
    {numbers, array_of(23, {{1, 1}, {2, 1}}).u32(4).u32(7).u32(4).u32(8).str(), "{{7,8}}"},
    {texts, array_of(25, {{3, 1}}).u32(0).u32(4).raw("nULL").u32(3).raw("a\\\"").str(),
     R"({"","nULL","a\\\""})"},
    {containing(type_kind::array, scalar(25), ';'),
     array_of(25, {{2, 1}}).u32(1).raw(",").u32(1).raw(";").str(), R"({,;";"})"},
    {range, bounds, R"([a,"a""b"))"},
    {range, half, R"((,""))"},
    {range, std::string(1, 1), "empty"},
    {containing(type_kind::multirange, range),
     wire_bytes{}.u32(2).u32(13).raw(bounds).u32(5).raw(half).str(), R"({[a,"a""b"),(,"")})"},
    {{.kind = type_kind::composite},
     wire_bytes{}
       .u32(3)
       .u32(23)
       .u32(4)
       .u32(5)
       .u32(25)
       .u32(no_value)
       .u32(25)
       .u32(2)
       .raw("(\\")
       .str(),
     R"((5,,"(\\"))"},
  };
}

/// Values of which any part is a value too.
inline std::vector<binary_sample> unsized_scalars() {
  return {
    {scalar(25), "text", "text"},
    {scalar(3802), "\x01{\"a\": 1}", "{\"a\": 1}"},
    {scalar(17), std::string{"\0\xFF", 2}, "\\x00ff"},
  };
}

} // namespace replicant::test
