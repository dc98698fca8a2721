// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/json_document.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <random>

using namespace replicant;

namespace {

/// What is embedded, or a word that says that nothing was.
std::string embedded(std::string_view text) {
  std::string out = "before";
  const auto done = append_json_document(out, text);
  REQUIRE(out.starts_with("before"));
  REQUIRE((done || out == "before"));
  return done ? out.substr(6) : "refused";
}

std::string repeated(std::string_view part, int times) {
  std::string text;
  for (int i = 0; i < times; ++i)
    text += part;
  return text;
}

} // namespace

TEST_CASE("a JSON text is embedded as it is", "[sinks][unit]") {
  for (const std::string text :
       {"{}", "[]", "null", "true", "false", "0", "-1.50e+400", "\"\"", "\"a\\u0000\\n\\/\"",
        R"({"a":1,"a":2})", R"( [ 1 ,{ "x" : [ ] } , "y" ]	)", R"("\ud83d\ude00")",
        "\"\\uD83D\\uDE00\"", R"([12345678901234567890.12345678901234567890,1e400])",
        "\"grüße 🙂 \x7f\"", R"({"":{"":[{},[],""]}})", R"("\"\\\/\b\f\n\r\t")"})
    CHECK(embedded(text) == text);
}

TEST_CASE("line breaks between tokens become spaces", "[sinks][unit]") {
  CHECK(embedded("{\n\t\"a\"\r\n:\n1\r,\"b\\n\":[\n]\n}\n") == "{ \t\"a\"  : 1 ,\"b\\n\":[ ] } ");
}

TEST_CASE("what is not a JSON text is refused and leaves nothing", "[sinks][unit]") {
  for (const std::string text :
       {"",         " ",         "nul",      "nulll",     "True",        "NaN",
        "Infinity", "01",        "1.",       "+1",        "'a'",         "{",
        "}",        "[",         "]",        "[1",        "[1,",         "[1,]",
        "[,1]",     "[1 2]",     "{\"a\"}",  "{\"a\":}",  "{\"a\":1,}",  "{a:1}",
        "{1:2}",    "{\"a\":1]", "[1}",      "1 2",       "{} {}",       "[]]",
        "\"a",      "\"a\\\"",   "\"\\x\"",  "\"\\u12\"", "\"\\u12g4\"", "\"\\u+123\"",
        "\"a\nb\"", "\"a\tb\"",  "\"\\\n\"", "/**/1",     "[1,\v2]",     "\xef\xbb\xbf{}"}) {
    INFO(text);
    CHECK(embedded(text) == "refused");
  }
}

TEST_CASE("half a surrogate pair is refused", "[sinks][unit]") {
  for (const auto* text : {R"("\ud800")", R"("\udc00")", R"("\ud800\ud800")", R"("\ud800x")",
                           R"("\udc00\ud800")", R"(["\ud83d", "\ude00"])", R"({"\udfff":1})",
                           R"("\ud800\u00e9")", R"("\ud800\n")", R"("\ud800\u")"}) {
    INFO(text);
    CHECK(embedded(text) == "refused");
  }
}

TEST_CASE("a document that is not UTF-8 is refused", "[sinks][unit]") {
  for (const auto* text :
       {"\"\xff\"", "\"\xc3\"", "\"\xed\xa0\x80\"", "\"\xc0\xaf\"", "[\xc3\xa9]"})
    CHECK(embedded(text) == "refused");
}

TEST_CASE("documents are nested a hundred deep and no deeper", "[sinks][unit]") {
  const auto deep = repeated("[", 100) + repeated("]", 100);
  CHECK(embedded(deep) == deep);
  CHECK(embedded('[' + deep + ']') == "refused");
  const auto objects = repeated("{\"a\":", 100) + "1" + repeated("}", 100);
  CHECK(embedded(objects) == objects);
  CHECK(embedded("[" + objects + "]") == "refused");
  CHECK(embedded(repeated("[", 1'000'000)) == "refused");
  const auto wide = "[" + repeated("[[]],", 1000) + "[]]";
  CHECK(embedded(wide) == wide);
}

TEST_CASE("another parser agrees on what is JSON", "[sinks][unit]") {
  // Random tokens make many texts that are nearly right. It takes no number beyond a double.
  constexpr std::array tokens{"{",     "}",           "[",  "]",       ",",    ":",
                              "\"a\"", "\"\\u00e9\"", "1",  "-0.5e-3", "true", "null",
                              " ",     "\n",          "01", "\"",      "\\",   "\"\\ud800\""};
  std::mt19937 random{20260714};
  int accepted = 0;
  for (int round = 0; round < 50'000; ++round) {
    std::string text;
    for (auto count = random() % 9; count > 0; --count)
      text += tokens.at(random() % tokens.size());
    const auto right = nlohmann::json::accept(text);
    accepted += right ? 1 : 0;
    const auto seen = embedded(text);
    INFO(text);
    REQUIRE((seen != "refused") == right);
    if (right)
      REQUIRE(nlohmann::json::parse(seen) == nlohmann::json::parse(text));
  }
  CHECK(accepted > 500);
}
