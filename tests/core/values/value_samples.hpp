// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/values/value.hpp"
#include "replicant/tests/core/values/binary_samples.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace replicant::test {

inline value of_text(std::string_view text, std::uint32_t type) {
  return {{cell_kind::text, text}, type};
}

/// The names of all getters that answer for `v`.
inline std::vector<std::string> answers(const value& v) {
  std::vector<std::string> found;
  std::string memory;
  const auto ask = [&](const char* name, const auto& answer) {
    if (answer)
      found.emplace_back(name);
  };
  ask("bool", v.as_bool());
  ask("int64", v.as_int64());
  ask("uint64", v.as_uint64());
  ask("double", v.as_double());
  ask("numeric", v.as_numeric());
  ask("money", v.as_money());
  ask("text", v.as_text());
  ask("char", v.as_char());
  ask("bytes", v.as_bytes(memory));
  ask("bits", v.as_bits());
  ask("uuid", v.as_uuid());
  ask("lsn", v.as_lsn());
  ask("date", v.as_date());
  ask("time", v.as_time());
  ask("timetz", v.as_timetz());
  ask("timestamp", v.as_timestamp());
  ask("timestamptz", v.as_timestamptz());
  ask("interval", v.as_interval());
  ask("array", v.as_array());
  ask("range", v.as_range());
  ask("multirange", v.as_multirange());
  return found;
}

struct typed_text {
  std::uint32_t type;
  std::string text;
};

/// A text that a server prints for each type with a getter.
inline std::vector<typed_text> printed_values() {
  return {{16, "t"},
          {17, R"(\x00ff)"},
          {18, "x"},
          {20, "-9223372036854775808"},
          {21, "7"},
          {23, "-7"},
          {25, "text"},
          {26, "4294967295"},
          {114, "{}"},
          {700, "1e-45"},
          {701, "1.7976931348623157e+308"},
          {790, "-$1,234.56"},
          {1007, "[0:1]={7,NULL}"},
          {1009, R"({{"a\"b"},{"\\"}})"},
          {1082, "0044-03-15 BC"},
          {1083, "23:59:59.999999"},
          {1114, "294276-12-31 23:59:59.999999"},
          {1184, "0044-03-15 01:02:03.5+05:30:01 BC"},
          {1186, "-1 years -1 mons +1 day -00:00:00.1"},
          {1266, "24:00:00-15:59:59"},
          {1560, "101"},
          {1562, ""},
          {1700, "-12345678901234567890.0001"},
          {2950, "30313233-3435-3637-3839-616263646566"},
          {3220, "16/ABC"},
          {3802, "[1]"},
          {3908, R"(["2026-01-01 00:00:00",infinity])"},
          {4451, "{[1,3),[7,)}"},
          {5069, "18446744073709551615"}};
}

/// Texts that no server prints for the type, most of them nearly so.
inline std::vector<typed_text> unprinted_values() {
  std::vector<typed_text> found;
  const auto add = [&](std::uint32_t type, std::initializer_list<const char*> texts) {
    for (const auto* const text : texts)
      found.push_back({type, text});
  };
  add(16, {"", "T", "yes", "tr", "t "});
  add(17, {R"(\x0)", R"(\x0g)", R"(\)", R"(a\b)", R"(\400)", R"(\08)"});
  add(18, {"ab", R"(\34)", R"(\400)", R"(\888)"});
  add(20, {"", "9223372036854775808", "1.0", " 1", "1 ", "+1", "1e3", "-"});
  add(21, {"32768", "-32769"});
  add(23, {"2147483648", "1 2 3"});
  add(26, {"-1", "4294967296"});
  add(700, {"", "nan", "inf", "1e99", "1.5x", "0x10", "-", ".5"});
  add(701, {"infinity", "-nan", "1e999", "+1", "- 1"});
  add(790, {"", "$", "1.234,56 €", "1,23", "12,34.56", "1234,567.00", "$1.5", "1.234", "($1.00)",
            "$-1.00", "-", "1,234,", "92233720368547758.08", "999999999999999999.00",
            "9,999,999,999,999,999,999.00", "¥100"});
  add(1007, {"", "{", "{1}x", "{{1},{2,3}}", "{1,{2}}", "[0:1]={1}", "[0:1]{1,2}", "[1:0]={}",
             "[0:1][0:0]={1,2}", "[2147483648:2147483648]={1}", "[0:x]={1}", "[0:1]=", "[0:0]={}",
             "[1:1][1:1][1:1][1:1][1:1][1:1][1:1]={{{{{{{1}}}}}}}", "{1,}"});
  add(1082, {"", "2026-1-1", "2026-02-29", "2026-13-01", "2026-00-10", "2026-01-00", "0000-01-01",
             "01/02/2026", "2026-01-01 AD", "2026-01-01 BC BC", "4714-11-23 BC", "5874898-01-01",
             "12345678-01-01", "Infinity", "2026-01-01 00:00:00", "026-01-01", "-2026-01-01"});
  add(1083, {"", "24:00:01", "25:00:00", "12:60:00", "12:00:60", "12:00", "1:00:00", "12:00:00.",
             "12:00:00.1234567", "12:00:00+00", "-12:00:00"});
  add(1114, {"2026-01-01", "2026-01-01 00:00:00+00", "2026-01-01T00:00:00", "294277-01-01 00:00:00",
             "4714-11-23 00:00:00 BC", "5874897-12-31 00:00:00", "2026-01-01 00:00:00 BC "});
  add(1184,
      {"2026-01-01 00:00:00", "02/01/2026 08:34:05 IST", "2026-01-01 00:00:00+16",
       "2026-01-01 00:00:00+1", "2026-01-01 00:00:00 BC+00", "294276-12-31 23:59:59-00:00:01"});
  add(1186, {"", "P1Y2D", "1 year 1 year", "1 day 1 mon", "1 years", "2 year", "1", "1 day ",
             "@ 1 day", "1 day ago", "00:00:00 1 day", "178956971 years", "2147483648 days",
             "2562047788:00:54.775808", "-2562047788:00:54.775809", "2562047789:00:00", "01:60:00",
             "99999999999 days", "--1 days"});
  add(1266, {"12:00:00", "12:00:00+16", "24:00:01+00", "12:00:00Z", "12:00:00+01:00:00:00"});
  add(1560, {"102", " 1", "x1"});
  add(1700, {"", "-", ".", "1.", ".5", "1e5", "01", "1.5.5", "1,5", "nan", "infinity", "+1", "1 "});
  add(2950, {"", "30313233343536373839616263646566", "{30313233-3435-3637-3839-616263646566}",
             "30313233-3435-3637-3839-61626364656g", "3031323-33435-3637-3839-616263646566"});
  add(3220, {"", "16", "16/", "x/1"});
  add(3904, {"", "[", "[1,2", "1,2)", "[1;2)", "[1,2,3)", "[1,2)x", "empty ", "{[1,2)}",
             "[1\"2\",3)", "[\"1,2)", "(\"a\\b\",)"});
  add(4451, {"", "{", "[1,2)", "{[1,2)", "{[1,2),}", "{,[1,2)}", "{[1,2)[3,4)}", "{empty", "{x}"});
  return found;
}

} // namespace replicant::test
