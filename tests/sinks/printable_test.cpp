// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/tail/printable.hpp"

#include <catch2/catch.hpp>

#include <set>
#include <string>
#include <vector>

using namespace replicant;

namespace {

std::string value(std::string_view text) {
  return printable_value(text, charset::utf8);
}

/// No byte of it is a control character to a terminal that takes bytes one by one.
bool is_ascii_without_controls(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

} // namespace

TEST_CASE("a value stands unquoted where nothing else can be meant", "[sinks][unit]") {
  for (const auto* plain : {"1", "-1.50", "new", "Infinity", "2026-07-14", "{a,b}", "[1,5)",
                            R"(\x4142)", "a=b", "grün", "日本", "(1,2)", "f"})
    CHECK(value(plain) == plain);
}

TEST_CASE("NULL, nothing and the words for them stay different", "[sinks][unit]") {
  CHECK(value("") == "''");
  CHECK(value("NULL") == "'NULL'");
  CHECK(value("null") == "'null'");
  CHECK(value("''") == "''''''");
  CHECK(value("(unchanged)") == "'(unchanged)'");
  CHECK(value("nullable") == "nullable");
}

TEST_CASE("a value is quoted as SQL does where it could be taken for something else",
          "[sinks][unit]") {
  CHECK(value("two words") == "'two words'");
  CHECK(value("it's") == "'it''s'");
  CHECK(value(R"(say "x")") == R"('say "x"')");
  CHECK(value(R"(a \ b)") == R"('a \ b')");
  CHECK(value("x->y") == "'x->y'");
  CHECK(value("no-break\u00a0space") == "'no-break\u00a0space'");
  CHECK(value("cut\u2026") == "'cut\u2026'");
  CHECK(value("cut...") == "'cut...'");
}

TEST_CASE("what could act on a terminal is shown as an escape", "[sinks][unit]") {
  CHECK(value("line\nbreak") == R"(E'line\nbreak')");
  CHECK(value("\t\r") == R"(E'\t\r')");
  CHECK(value("\x1b[2J") == R"(E'\x1b[2J')");
  CHECK(value("\x7f") == R"(E'\x7f')");
  CHECK(value("\u009b31m") == R"(E'\u009b31m')");
  CHECK(value("a\u202eb") == R"(E'a\u202eb')");
  CHECK(value("\u2066x\u2069\u200b\ufeff") == R"(E'\u2066x\u2069\u200b\ufeff')");
  CHECK(value("\U000E0041") == R"(E'\U000e0041')");
  CHECK(value("it's \\ \n") == R"(E'it''s \\ \n')");
}

TEST_CASE("bytes that are no characters are shown one by one", "[sinks][unit]") {
  CHECK(value("a\xff\xc3") == R"(E'a\xff\xc3')");
  CHECK(value("\xed\xa0\x80") == R"(E'\xed\xa0\x80')");
}

TEST_CASE("without UTF-8 nothing but ASCII comes through", "[sinks][unit]") {
  CHECK(printable_value("grün", charset::ascii) == R"(E'gr\u00fcn')");
  CHECK(printable_name("größe", charset::ascii) == R"(E"gr\u00f6\u00dfe")");
  std::string every_byte;
  for (int byte = 0; byte < 256; ++byte)
    every_byte.push_back(static_cast<char>(byte));
  CHECK(is_ascii_without_controls(printable_value(every_byte, charset::ascii)));
  CHECK(is_ascii_without_controls(printable_name(every_byte, charset::ascii)));
  CHECK(is_ascii_without_controls(printable_value(every_byte, charset::utf8)));
}

TEST_CASE("different values never look alike", "[sinks][unit]") {
  // All texts of up to four of the characters that quoting is about.
  const std::string_view letters = "n'\\E\n. ";
  std::vector<std::string> texts{""};
  for (std::size_t from = 0, length = 1; length <= 4; ++length)
    for (const auto end = texts.size(); from < end; ++from)
      for (const auto letter : letters)
        texts.push_back(texts[from] + letter);
  for (const auto characters : {charset::ascii, charset::utf8}) {
    std::set<std::string> shown;
    for (const auto& text : texts)
      shown.insert(printable_value(text, characters));
    CHECK(shown.size() == texts.size());
  }
}

TEST_CASE("a name is quoted where it could be taken for something else", "[sinks][unit]") {
  const auto name = [](std::string_view text) { return printable_name(text, charset::utf8); };
  CHECK(name("order_items") == "order_items");
  CHECK(name("Größe") == "Größe");
  CHECK(name("two words") == R"("two words")");
  CHECK(name("a.b") == R"("a.b")");
  CHECK(name("a=b") == R"("a=b")");
  CHECK(name(R"(a"b)") == R"("a""b")");
  CHECK(name("it's") == R"("it's")");
  CHECK(name("") == R"("")");
  CHECK(name("x\n-- forged") == R"(E"x\n-- forged")");
}

TEST_CASE("a value is cut to the columns that it may take", "[sinks][unit]") {
  CHECK(printable_value("abcdef", charset::utf8, 6) == "abcdef");
  CHECK(printable_value("abcdef", charset::utf8, 5) == "abcd\u2026");
  CHECK(printable_value("abcdef", charset::ascii, 5) == "ab...");
  CHECK(printable_value("two words", charset::utf8, 6) == "'two \u2026");
  CHECK(printable_value("日本語", charset::utf8, 5) == "日本\u2026");
  CHECK(printable_value("日本語", charset::utf8, 4) == "日\u2026");
  CHECK(printable_value("a\x1b\x1b", charset::utf8, 8) == R"(E'a\x1b)"
                                                          "\u2026");
  for (std::size_t columns = 3; columns < 12; ++columns)
    for (const auto characters : {charset::ascii, charset::utf8})
      CHECK(columns_of(printable_value("日本 it's \n long", characters, columns)) <= columns);
}
