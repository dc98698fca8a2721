// SPDX-License-Identifier: MIT
#include "replicant/core/values/value.hpp"
#include "replicant/tests/core/values/value_samples.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace replicant;
using namespace replicant::test;
using namespace std::chrono_literals;

TEST_CASE("what is not there has no value", "[model][unit]") {
  for (const auto kind : {cell_kind::null, cell_kind::unchanged})
    for (const auto& [type, text] : printed_values()) {
      const value nothing{{kind, {}}, type};
      CHECK(nothing.is_null() == (kind == cell_kind::null));
      CHECK(nothing.is_unchanged() == (kind == cell_kind::unchanged));
      CHECK(answers(nothing).empty());
      std::string out = "before";
      CHECK_FALSE(nothing.append_text(out));
      CHECK(out == "before");
    }
}

TEST_CASE("a getter answers for its own types alone", "[model][unit]") {
  for (const auto& [type, text] : printed_values()) {
    CAPTURE(type, text);
    CHECK(answers(of_text(text, type)).size() == 1);
  }
  for (const auto& sample : sized_scalars()) {
    CAPTURE(sample.type.reads_as, sample.text);
    const value found{{cell_kind::binary, sample.bytes}, sample.type};
    CHECK(answers(found) == answers(of_text(sample.text, sample.type.reads_as)));
  }
}

TEST_CASE("a text that no server prints for the type is kept and not guessed at", "[model][unit]") {
  for (const auto& [type, text] : unprinted_values()) {
    CAPTURE(type, text);
    const auto found = of_text(text, type);
    CHECK(answers(found).empty());
    CHECK(found.content().bytes == text);
    std::string out;
    CHECK(found.append_text(out));
    CHECK(out == text);
  }
}

TEST_CASE("a value of an unknown type is its text, and its binary form is nothing",
          "[model][unit]") {
  constexpr std::uint32_t unknown = 16'384;
  CHECK(of_text("fine", unknown).as_text() == "fine");
  CHECK_FALSE(value({cell_kind::binary, "fine"}, unknown).as_text());
  const auto mood = scalar(25);
  CHECK(value({cell_kind::binary, "fine"}, mood).as_text() == "fine");
  CHECK(value({cell_kind::text, "7"}, *built_in_type(23)).as_int64() == 7);
}

TEST_CASE("a boolean is read from the words of a cast too", "[model][unit]") {
  CHECK(of_text("t", 16).as_bool() == true);
  CHECK(of_text("true", 16).as_bool() == true);
  CHECK(of_text("f", 16).as_bool() == false);
  CHECK(of_text("false", 16).as_bool() == false);
}

TEST_CASE("numbers are read up to the limits of their types", "[model][unit]") {
  CHECK(of_text("-32768", 21).as_int64() == -32768);
  CHECK(of_text("9223372036854775807", 20).as_int64() == INT64_MAX);
  CHECK(of_text("18446744073709551615", 5069).as_uint64() == UINT64_MAX);
  CHECK(of_text("0.1", 700).as_double() == 0.1F);
  CHECK(std::signbit(of_text("-0", 701).as_double().value()));
  CHECK(std::isnan(of_text("NaN", 701).as_double().value()));
  CHECK(of_text("-Infinity", 700).as_double() == -INFINITY);
}

TEST_CASE("a numeric is exact, and an integer of its scale when that fits", "[model][unit]") {
  const auto unscaled = [](std::string_view text) {
    return of_text(text, 1700).as_numeric().value().unscaled();
  };
  CHECK(unscaled("-12.50") == -1250);
  CHECK(unscaled("-92233720368547758.08") == INT64_MIN);
  CHECK_FALSE(unscaled("92233720368547758.08"));
  CHECK_FALSE(unscaled("NaN"));
  const auto long_one = of_text("-12345678901234567890.10", 1700).as_numeric().value();
  std::string digits;
  long_one.append_digits(digits);
  CHECK(digits == "1234567890123456789010");
  CHECK(long_one.negative());
  CHECK(long_one.scale() == 2);
  const auto least = of_text("-Infinity", 1700).as_numeric().value();
  CHECK(least.kind() == numeric_kind::minus_infinity);
  CHECK(least.scale() == 0);
}

TEST_CASE("money is read as the locale C writes it, with or without signs", "[model][unit]") {
  const auto hundredths = [](std::string_view text) {
    return of_text(text, 790).as_money().value_or(money{-1}).hundredths;
  };
  CHECK(hundredths("$1,234,567.89") == 123'456'789);
  CHECK(hundredths("1234567.89") == 123'456'789);
  CHECK(hundredths("$12") == 1200);
  CHECK(hundredths("-$0.02") == -2);
  CHECK(hundredths("-$92,233,720,368,547,758.08") == INT64_MIN);
}

TEST_CASE("dates go from before the common era to beyond the standard library", "[model][unit]") {
  using namespace std::chrono;
  const auto day = [](std::string_view text) { return of_text(text, 1082).as_date().value(); };
  CHECK(day("2000-02-29").to_chrono() == 2000y / February / 29);
  CHECK(day("0044-03-15 BC").to_chrono() == year{-43} / March / 15);
  CHECK(day("32767-12-31").to_chrono() == 32767y / December / 31);
  CHECK_FALSE(day("32768-01-01").to_chrono());
  CHECK(day("5874897-12-31").calendar() == calendar_day{5'874'897, 12, 31});
  CHECK(day("4714-11-24 BC").days == -2'451'545);
  for (const auto* const text : {"infinity", "-infinity"}) {
    CHECK_FALSE(day(text).is_finite());
    CHECK_FALSE(day(text).calendar());
    CHECK_FALSE(day(text).to_chrono());
  }
  CHECK(day("-infinity") < day("4714-11-24 BC"));
  CHECK(day("infinity") > day("5874897-12-31"));
}

TEST_CASE("moments are microseconds, exact up to the last that PostgreSQL has", "[model][unit]") {
  const auto moment = [](std::string_view text) {
    return of_text(text, 1184).as_timestamptz().value();
  };
  CHECK(moment("1970-01-01 00:00:00.000001+00").to_chrono()->time_since_epoch() == 1us);
  CHECK(moment("2000-01-01 05:30:00+05:30") == instant{0});
  CHECK(moment("1999-12-31 23:59:59.999999-00:00:01") == instant{999'999});
  const auto before = of_text("1999-12-31 23:59:59.5", 1114).as_timestamp().value();
  CHECK(before.day() == date{-1});
  CHECK(before.time_of_day() == 24h - 500ms);
  const auto last = moment("294276-12-31 23:59:59.999999+00");
  CHECK(last.is_finite());
  CHECK_FALSE(last.to_chrono());
  CHECK(moment("294246-01-01 00:00:00+00").to_chrono());
  CHECK_FALSE(moment("infinity").to_chrono());
  CHECK(moment("infinity") > last);
  CHECK(moment("-infinity").day() == date::minus_infinity());
}

TEST_CASE("times keep their zone, and intervals their parts", "[model][unit]") {
  CHECK(of_text("24:00:00", 1083).as_time() == 24h);
  CHECK(of_text("04:05:06.789-08:30", 1266).as_timetz() ==
        zoned_time{4h + 5min + 6789ms, -8h - 30min});
  const auto length = [](std::string_view text) { return of_text(text, 1186).as_interval(); };
  CHECK(length("1 year 1 mon -2 days +03:04:05.6") == interval{13, -2, 3h + 4min + 5600ms});
  CHECK(length("-1 years +1 mon") == interval{-11, 0, 0us});
  CHECK(length("-00:00:00.000001") == interval{0, 0, -1us});
  CHECK(length("-2562047788:00:54.775808") == interval{0, 0, std::chrono::microseconds::min()});
  CHECK_FALSE(length("infinity")->is_finite());
}

TEST_CASE("bytes are read in both dialects", "[model][unit]") {
  std::string memory = "before";
  CHECK(of_text(R"(\x00fF)", 17).as_bytes(memory) == std::string_view{"\0\xFF", 2});
  CHECK(of_text(R"(a\\x41\000\377)", 17).as_bytes(memory) == std::string_view{"a\\x41\0\xFF", 7});
  CHECK(of_text("", 17).as_bytes(memory) == "");
  CHECK(value({cell_kind::binary, R"(\x41)"}, 17).as_bytes(memory) == R"(\x41)");
}

TEST_CASE("arrays keep their dimensions and bounds", "[model][unit]") {
  const auto list = of_text("[-2:-1][3:4]={{1,2},{3,NULL}}", 1007).as_array().value();
  CHECK(list.dimensions() == std::vector<array_dimension>{{2, -2}, {2, 3}});
  REQUIRE(list.elements().size() == 4);
  CHECK(list.elements()[2].as_int64() == 3);
  CHECK(list.elements()[3].is_null());
  const auto empty = of_text("{}", 1007).as_array().value();
  CHECK(empty.dimensions().empty());
  CHECK(empty.elements().empty());
}

TEST_CASE("an array that was moved still holds its elements", "[model][unit]") {
  auto list = of_text(R"({"a\"b","\\",plain})", 1009).as_array().value();
  const auto moved = std::move(list);
  CHECK(moved.elements()[0].as_text() == R"(a"b)");
  CHECK(moved.elements()[1].as_text() == R"(\)");
  CHECK(moved.elements()[2].as_text() == "plain");
}

TEST_CASE("ranges have bounds, or go on for ever, or are empty", "[model][unit]") {
  const auto open = of_text("[7,)", 3904).as_range().value();
  CHECK(open.lower()->at.as_int64() == 7);
  CHECK(open.lower()->inclusive);
  CHECK_FALSE(open.upper());
  CHECK_FALSE(open.empty());
  CHECK(of_text("empty", 3904).as_range()->empty());
  const auto quoted = containing(type_kind::range, scalar(25));
  auto words = value({cell_kind::text, R"(("a""b\\,","")"}, quoted).as_range();
  CHECK_FALSE(words);
  words = value({cell_kind::text, R"(("a""b\\,",""])"}, quoted).as_range();
  const auto moved = std::move(*words);
  CHECK(moved.lower()->at.as_text() == R"(a"b\,)");
  CHECK(moved.upper()->at.as_text() == "");
  CHECK(moved.upper()->inclusive);
}

TEST_CASE("a multirange is its ranges", "[model][unit]") {
  const auto parts = of_text("{[1,3),[7,)}", 4451).as_multirange().value();
  REQUIRE(parts.size() == 2);
  CHECK(parts[0].as_range()->upper()->at.as_int64() == 3);
  CHECK_FALSE(parts[1].as_range()->upper());
  CHECK(of_text("{}", 4451).as_multirange()->empty());
}
