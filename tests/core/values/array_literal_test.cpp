// SPDX-License-Identifier: MIT
#include "replicant/core/values/array_literal.hpp"

#include <catch2/catch.hpp>

#include <random>

using namespace replicant;

namespace {

/// The tokens in a notation of their own: values in <>, NULL as ~, what is malformed as !.
std::string tokens(std::string_view literal, char delimiter = ',') {
  std::string seen;
  std::string memory;
  array_literal reader{literal, delimiter, memory};
  for (;;)
    switch (reader.next()) {
      case array_token::open: seen += '['; break;
      case array_token::close: seen += ']'; break;
      case array_token::null: seen += '~'; break;
      case array_token::value: seen.append("<").append(reader.value()).append(">"); break;
      case array_token::end: return seen;
      case array_token::malformed: return seen + '!';
    }
}

} // namespace

TEST_CASE("an array literal gives its elements one by one", "[model][unit]") {
  CHECK(tokens("{}") == "[]");
  CHECK(tokens("{1}") == "[<1>]");
  CHECK(tokens("{1,-2,NaN}") == "[<1><-2><NaN>]");
  CHECK(tokens(R"({"a,b","{}",""})") == "[<a,b><{}><>]");
  CHECK(tokens(R"({"a\"b\\c","\\"})") == R"([<a"b\c><\>])");
  CHECK(tokens("{{1,2},{3,4}}") == "[[<1><2>][<3><4>]]");
  CHECK(tokens("{{{{{{1}}}}}}") == "[[[[[[<1>]]]]]]");
  CHECK(tokens("{(1,1),(0,0);(3,3),(2,2)}", ';') == "[<(1,1),(0,0)><(3,3),(2,2)>]");
}

TEST_CASE("only the bare word NULL is NULL", "[model][unit]") {
  CHECK(tokens(R"({NULL,"NULL","null",NULLS})") == "[~<NULL><null><NULLS>]");
  CHECK(tokens("{{NULL},{NULL}}") == "[[~][~]]");
}

TEST_CASE("what PostgreSQL would not print for an array is malformed", "[model][unit]") {
  for (const auto* literal : {"",
                              "1",
                              "{",
                              "{1",
                              "{1,",
                              "{1,}",
                              "{,1}",
                              "{,}",
                              "{1}}",
                              "{1}x",
                              "[0:1]={7,8}",
                              "{\"a}",
                              "{\"a",
                              "{\"a\\",
                              "{\"a\\\"",
                              "{\"a\"b}",
                              "{a\"b\"}",
                              "{a\\b}",
                              "{a{b}",
                              "{{}}",
                              "{{},{}}",
                              "{{1},2}",
                              "{1,{2}}",
                              "{{1},{{2}}}",
                              "{{{1}},{2}}",
                              "{{{{{{{1}}}}}}}",
                              "{1;2",
                              " {1}"}) {
    INFO(literal);
    CHECK(tokens(literal).back() == '!');
  }
}

TEST_CASE("any bytes are read to an end", "[model][unit]") {
  constexpr std::string_view letters = "{},\"\\aN;";
  std::mt19937 random{20260714};
  for (int round = 0; round < 50'000; ++round) {
    std::string literal(random() % 16, '{');
    for (auto& c : literal)
      c = letters[random() % letters.size()];
    REQUIRE(tokens('{' + literal).size() <= 2 * literal.size() + 4);
  }
}

TEST_CASE("what was written with quotes and escapes comes back", "[model][unit]") {
  std::mt19937 random{42};
  for (int round = 0; round < 2'000; ++round) {
    std::string literal = "{";
    std::string expected = "[";
    for (auto count = 1 + random() % 5; count > 0; --count) {
      std::string element(random() % 12, ' ');
      for (auto& c : element)
        c = static_cast<char>(random() % 3 == 0 ? "\"\\,{}"[random() % 5] : 'a' + random() % 26);
      expected.append("<").append(element).append(">");
      literal += '"';
      for (const auto c : element)
        literal.append(c == '"' || c == '\\' ? "\\" : "") += c;
      literal += count == 1 ? "\"" : "\",";
    }
    REQUIRE(tokens(literal + '}') == expected + ']');
  }
}
