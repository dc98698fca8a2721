// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/json_text.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <random>

using namespace replicant;

namespace {

std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

std::string base64(std::string_view bytes) {
  std::string out;
  append_json_base64(out, bytes);
  return out;
}

/// Undoes the rule for bytes that are not UTF-8; another parser reads, and judges, all the rest.
std::string read_back(std::string_view line) {
  std::string bytes;
  std::string part;
  const auto finish_part = [&] {
    bytes += nlohmann::json::parse('"' + part + '"').get<std::string>();
    part.clear();
  };
  REQUIRE(line.size() >= 2);
  line = line.substr(1, line.size() - 2);
  while (!line.empty()) {
    if (line.starts_with("\\udc")) {
      finish_part();
      bytes.push_back(static_cast<char>(std::stoi(std::string{line.substr(4, 2)}, nullptr, 16)));
      line.remove_prefix(6);
      continue;
    }
    const std::size_t length = line[0] == '\\' ? 2 : 1;
    part.append(line.substr(0, length));
    line.remove_prefix(length);
  }
  finish_part();
  return bytes;
}

} // namespace

TEST_CASE("a JSON string escapes what JSON does not take and nothing else", "[sinks][unit]") {
  CHECK(json_string("") == R"("")");
  CHECK(json_string("NULL") == R"("NULL")");
  CHECK(json_string("a \"quoted\" back\\slash") == R"("a \"quoted\" back\\slash")");
  CHECK(json_string("\b\f\n\r\t\x01\x1f") == R"("\b\f\n\r\t\u0001\u001f")");
  CHECK(json_string("/\x7f") == "\"/\x7f\"");
  CHECK(json_string(std::string_view{"\0", 1}) == R"("\u0000")");
}

TEST_CASE("every byte is escaped or kept wherever it stands", "[sinks][unit]") {
  // The scan looks at eight bytes at a time: each position in such a group has to see each byte.
  for (std::size_t position = 0; position < 20; ++position)
    for (int byte = 0; byte < 0x80; ++byte) {
      std::string text(20, 'a');
      text[position] = static_cast<char>(byte);
      REQUIRE(nlohmann::json::parse(json_string(text)).get<std::string>() == text);
    }
}

TEST_CASE("valid UTF-8 is kept as it is", "[sinks][unit]") {
  for (const std::string text :
       {"\u00a0\u07ff", "\u0800\u2028\ud7ff\ue000\uffff", "\U00010000\U0010ffff",
        "grüße, мир, 世界, 🙂 and plain text"})
    CHECK(json_string(text) == '"' + text + '"');
}

TEST_CASE("each byte that is not UTF-8 becomes a lone low surrogate", "[sinks][unit]") {
  CHECK(json_string("a\xff z") == R"("a\udcff z")");
  CHECK(json_string("\x80\xbf") == R"("\udc80\udcbf")");           // continuation without a lead
  CHECK(json_string("\xc3") == R"("\udcc3")");                     // cut off at the end
  CHECK(json_string("\xe4\xb8") == R"("\udce4\udcb8")");           // cut off at the end
  CHECK(json_string("\xc0\xaf") == R"("\udcc0\udcaf")");           // overlong
  CHECK(json_string("\xe0\x80\xaf") == R"("\udce0\udc80\udcaf")"); // overlong
  CHECK(json_string("\xf0\x8f\xbf\xbf") == R"("\udcf0\udc8f\udcbf\udcbf")"); // overlong
  CHECK(json_string("\xed\xa0\x80") == R"("\udced\udca0\udc80")");           // a surrogate
  CHECK(json_string("\xf4\x90\x80\x80") == R"("\udcf4\udc90\udc80\udc80")"); // beyond U+10FFFF
  CHECK(json_string("\xc3\xa9\xe9") == "\"\xc3\xa9\\udce9\""); // a good one before a bad one
}

TEST_CASE("any bytes come back from their JSON string", "[sinks][unit]") {
  std::mt19937 random{20260714};
  for (int round = 0; round < 20000; ++round) {
    std::string text(random() % 24, '\0');
    for (auto& c : text)
      c = static_cast<char>(random() % 4 == 0 ? 'a' : random());
    REQUIRE(read_back(json_string(text)) == text);
  }
}

TEST_CASE("a JSON number is what RFC 8259 calls one", "[sinks][unit]") {
  for (const auto* text : {"0", "-0", "10", "0.5", "-12.25", "1e5", "1E-07", "2.5e+10", "0e0"}) {
    CHECK(is_json_number(text));
    CHECK(nlohmann::json::parse(text).is_number());
  }
  for (const auto* text : {"NaN", "Infinity", "-Infinity", "", "-", "01", "-01", "1.", ".5", "1e",
                           "1e+", "+1", "0x10", "1 ", " 1", "1,2", "--1", "1e5.0", "1\n"})
    CHECK_FALSE(is_json_number(text));
}

TEST_CASE("base64 follows RFC 4648", "[sinks][unit]") {
  CHECK(base64("") == R"("")");
  CHECK(base64("f") == R"("Zg==")");
  CHECK(base64("fo") == R"("Zm8=")");
  CHECK(base64("foo") == R"("Zm9v")");
  CHECK(base64("foobar") == R"("Zm9vYmFy")");
  CHECK(base64(std::string_view{"\x00\xff\xfe\xfb", 4}) == R"("AP/++w==")");
}

TEST_CASE("base64 is read back, and nothing that is not written so", "[sinks][unit]") {
  std::string every_byte;
  for (int byte = 0; byte < 256; ++byte)
    every_byte.push_back(static_cast<char>(byte));
  for (std::size_t length = 0; length <= every_byte.size(); ++length) {
    const auto bytes = every_byte.substr(256 - length);
    const auto text = base64(bytes);
    CHECK(read_base64(text.substr(1, text.size() - 2)) == bytes);
  }
  for (const auto* text : {"Z", "Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "Zg==Zg==", "=",
                           "Zm9v=", "Zm 9v", "Zm-v", "Zm9v\"", "Zg==\n"})
    CHECK_FALSE(read_base64(text));
}
