// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/json_value.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace replicant;

namespace {

using shape = std::shared_ptr<const type_shape>;

shape array_of(shape element, char delimiter = ',') {
  return std::make_shared<const type_shape>(
    type_shape{.kind = type_kind::array, .element = std::move(element), .delimiter = delimiter});
}

struct written {
  std::string json;
  value_outcome outcome = value_outcome::as_asked;
};

written write(const shape& type, std::string_view text, value_form numeric = value_form::string,
              documents how = documents::embedded) {
  REQUIRE(type != nullptr);
  value_writer values{numeric};
  written done{.json = "before"};
  done.outcome =
    values.append(done.json, *type, values.form_of(*type), {cell_kind::text, text}, how);
  REQUIRE(done.json.starts_with("before"));
  done.json.erase(0, 6);
  return done;
}

/// A value that is written as asked.
std::string json_value(std::uint32_t type, std::string_view text,
                       value_form numeric = value_form::string) {
  const auto done = write(built_in_type(type), text, numeric);
  REQUIRE(done.outcome == value_outcome::as_asked);
  return done.json;
}

std::string string_of(std::string_view text) {
  return nlohmann::json(text).dump();
}

} // namespace

TEST_CASE("values take the form of their type", "[sinks][unit]") {
  CHECK(json_value(16, "t") == "true");
  CHECK(json_value(16, "f") == "false");
  CHECK(json_value(21, "-32768") == "-32768");
  CHECK(json_value(23, "0") == "0");
  CHECK(json_value(20, "9223372036854775807") == "9223372036854775807");
  CHECK(json_value(700, "1e+20") == "1e+20");
  CHECK(json_value(701, "-0") == "-0");
  CHECK(json_value(701, "1.7976931348623157e+308") == "1.7976931348623157e+308");
  CHECK(json_value(26, "16400") == R"("16400")");
  CHECK(json_value(25, "true") == R"("true")");
  CHECK(json_value(1042, "ab   ") == R"("ab   ")");
  CHECK(json_value(17, "\\x5c7834") == R"("\\x5c7834")");
  CHECK(json_value(1114, "0044-03-15 00:00:00 BC") == R"("0044-03-15 00:00:00 BC")");
  CHECK(json_value(1184, "infinity") == R"("infinity")");
  CHECK(json_value(3904, "[1,3)") == "\"[1,3)\"");
  CHECK(json_value(4451, "{[1,3),[7,9)}") == R"("{[1,3),[7,9)}")");
  CHECK(json_value(22, "1 2") == R"("1 2")");
}

TEST_CASE("what is not of its form is written as a string", "[sinks][unit]") {
  for (const auto* text : {"NaN", "Infinity", "-Infinity", "", "1 ", "0x10"})
    CHECK(json_value(701, text) == string_of(text));
  CHECK(json_value(16, "") == R"("")");
  CHECK(json_value(16, "true") == R"("true")");
}

TEST_CASE("a type of which nothing is known, and a composite, keep their text", "[sinks][unit]") {
  const auto unknown = std::make_shared<const type_shape>();
  const auto composite =
    std::make_shared<const type_shape>(type_shape{.kind = type_kind::composite});
  for (const auto& type : {unknown, composite})
    for (const auto* text : {"1", "t", "{1,2}", "(1,\"a b\",)", ""})
      CHECK(write(type, text).json == string_of(text));
}

TEST_CASE("numeric is a string, or exact digits when that is asked for", "[sinks][unit]") {
  constexpr auto number = value_form::number;
  for (const auto* text : {"1234567890987654321.1234567890987654321", "-0.00", "0", "12300",
                           "1000000000000000000000000000000000000000000000"}) {
    CHECK(json_value(1700, text) == string_of(text));
    CHECK(json_value(1700, text, number) == text);
  }
  for (const auto* text : {"NaN", "Infinity", "-Infinity"})
    CHECK(json_value(1700, text, number) == string_of(text));
  CHECK(json_value(1231, "{1.10,NaN,NULL}") == R"(["1.10","NaN",null])");
  CHECK(json_value(1231, "{1.10,NaN,NULL}", number) == R"([1.10,"NaN",null])");
}

TEST_CASE("json and jsonb are embedded", "[sinks][unit]") {
  for (const std::uint32_t type : {114U, 3802U}) {
    CHECK(json_value(type, R"({"a": 1e400, "a": [null]})") == R"({"a": 1e400, "a": [null]})");
    CHECK(json_value(type, "{\n}") == "{ }");
    CHECK(json_value(type, "null") == "null");
    const auto refused = write(built_in_type(type), R"({"a":"\ud800"})");
    CHECK(refused.outcome == value_outcome::as_text);
    CHECK(refused.json == R"("{\"a\":\"\\ud800\"}")");
    const auto as_text = write(built_in_type(type), "{\n}", value_form::string, documents::as_text);
    CHECK(as_text.outcome == value_outcome::as_asked);
    CHECK(as_text.json == R"("{\n}")");
  }
}

TEST_CASE("arrays are JSON arrays of elements in their own form", "[sinks][unit]") {
  CHECK(json_value(1007, "{}") == "[]");
  CHECK(json_value(1007, "{1,NULL,-3}") == "[1,null,-3]");
  CHECK(json_value(1007, "{{1,2},{NULL,4}}") == "[[1,2],[null,4]]");
  CHECK(json_value(1000, "{t,f,NULL}") == "[true,false,null]");
  CHECK(json_value(1022, "{1.5,NaN,-0}") == R"([1.5,"NaN",-0])");
  CHECK(json_value(1028, "{1,2}") == R"(["1","2"])");
  CHECK(json_value(1009, R"({NULL,"NULL","null","","a\"b\\","x,y"})") ==
        R"([null,"NULL","null","","a\"b\\","x,y"])");
  CHECK(json_value(1009, "{{NULL},{NULL}}") == "[[null],[null]]");
  CHECK(json_value(3905, "{\"[1,2)\",empty}") == "[\"[1,2)\",\"empty\"]");
  CHECK(json_value(1020, "{(1,1),(0,0);(3,3),(2,2)}") == "[\"(1,1),(0,0)\",\"(3,3),(2,2)\"]");
}

TEST_CASE("an array with lower bounds of its own, or malformed, keeps its literal",
          "[sinks][unit]") {
  for (const auto* literal : {"[0:1]={7,8}", "[2:2][-1:0]={{1,2}}", "{1,2", "1,2", "{1,{2}}", ""})
    CHECK(json_value(1007, literal) == string_of(literal));
}

TEST_CASE("an array of arrays, by way of a domain, is nested like any other", "[sinks][unit]") {
  const auto type = array_of(array_of(built_in_type(1009)));
  CHECK(write(type, R"({"{\"{\\\"a b\\\",NULL}\",NULL}",NULL,"{}"})").json ==
        R"([[["a b",null],null],null,[]])");
}

TEST_CASE("documents in arrays are embedded all or none", "[sinks][unit]") {
  const auto done = write(built_in_type(199), R"({"{\"a\": 1}",NULL,"\"x\"","null"})");
  CHECK(done.outcome == value_outcome::as_asked);
  CHECK(done.json == R"([{"a": 1},null,"x",null])");
  const auto refused = write(built_in_type(199), R"({"{\"a\": 1}",NULL,"\"\\ud800\""})");
  CHECK(refused.outcome == value_outcome::as_text);
  CHECK(refused.json == R"(["{\"a\": 1}",null,"\"\\ud800\""])");
}

TEST_CASE("a binary value of unknown form is broken", "[sinks][unit]") {
  value_writer values;
  std::string out;
  const type_shape unknown;
  CHECK(values.append(out, unknown, values.form_of(unknown), {cell_kind::binary, "x"},
                      documents::embedded) == value_outcome::broken);
}
