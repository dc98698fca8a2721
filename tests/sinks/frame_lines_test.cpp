// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/frame_lines.hpp"

#include <catch2/catch.hpp>

using namespace replicant;

namespace {

std::string rendered(const header_line& header) {
  std::string line;
  append_header(line, header);
  REQUIRE(line.ends_with("\"}\n"));
  line.pop_back();
  return line;
}

} // namespace

TEST_CASE("a header is read back with every name that a database can have", "[sinks][unit]") {
  std::string every_byte;
  for (int byte = 1; byte < 256; ++byte)
    every_byte.push_back(static_cast<char>(byte));
  for (const auto& database : {std::string{"shop"}, std::string{}, std::string{"a\"b\\c\n"},
                               std::string{"b\u00fccher"}, std::string{"\xff\xc3"}, every_byte})
    for (const auto start :
         {std::optional<watermark>{}, std::optional{watermark::through(lsn{0x1'016E'3778})}}) {
      const auto line =
        rendered({.source = {.system_identifier = "73", .database = database, .slot_name = "s"},
                  .start = start});
      const auto header = read_header(line);
      REQUIRE(header);
      CHECK(header->source.system_identifier == "73");
      CHECK(header->source.database == database);
      CHECK(header->source.slot_name == "s");
      CHECK(header->start == start);
    }
}

TEST_CASE("the header of a continuation ends with the position where it starts", "[sinks][unit]") {
  CHECK(rendered({.source = {.system_identifier = "73", .database = "d", .slot_name = "s"},
                  .start = watermark::through(lsn{0x16E'3778})}) ==
        R"({"kind":"header","format":1,"system_identifier":"73","database":"d","slot_name":"s",)"
        R"("start":"0/16E3778"})");
}

TEST_CASE("a header tells how much state belongs to it", "[sinks][unit]") {
  std::string line;
  append_header(line, {.source = {.system_identifier = "73", .database = "d", .slot_name = "s"},
                       .start = watermark::through(lsn{0x16E'3778}),
                       .state_bytes = 212});
  CHECK(line == R"({"kind":"header","format":1,"system_identifier":"73","database":"d",)"
                R"("slot_name":"s","start":"0/16E3778","state_bytes":212})"
                "\n");
  const auto header = read_header(line.substr(0, line.size() - 1));
  REQUIRE(header);
  CHECK(header->state_bytes == 212);
  CHECK(header->start == watermark::through(lsn{0x16E'3778}));
  const auto start = line.substr(0, line.find("212"));
  for (const auto* rest : {"", "}", "0}", "-1}", "2,}", "2}}", "\"2\"}", "99999999999999999999}"})
    CHECK_FALSE(read_header(start + rest));
}

TEST_CASE("state is read back as it was written", "[sinks][unit]") {
  std::string line;
  append_state(line, {"schema.16385", "shape"});
  CHECK(line == R"({"kind":"state","name":"schema.16385","content_base64":"c2hhcGU="})"
                "\n");
  for (const auto& entry : {state_entry{"schema.16385", "shape"}, state_entry{"forgotten", ""},
                            state_entry{"any", std::string(5000, '\xff')}}) {
    line.clear();
    append_state(line, entry);
    CHECK(read_state(line.substr(0, line.size() - 1)) == entry);
  }
  for (const auto* wrong :
       {R"({"kind":"state","name":"n","content_base64":"c2hhcGU="})"
        "\n",
        R"({"kind":"state","name":"n","content_base64":"c2hhcGU="})"
        "}",
        R"({"kind":"state","name":"n","content_base64":"c2hhcGU"})",
        R"({"kind":"state","name":"n","content_base64":"c2hh)",
        R"({"kind":"state","name":"n","content_base64":")", R"({"kind":"state","name":"n)",
        R"({"kind":"state","name":"n"})", R"({"kind":"state","content_base64":""})",
        R"({"kind":"state",)", R"({"kind":"progress","lsn":"0/1"})", ""})
    CHECK_FALSE(read_state(wrong));
}

TEST_CASE("a line that is not exactly a header is none", "[sinks][unit]") {
  const auto start = std::string{R"({"kind":"header","format":1,"system_identifier":"73",)"};
  for (const auto* rest :
       {R"("database":"d","slot_name":"s","start":""})",
        R"("database":"d","slot_name":"s","start":"0"})",
        R"("database":"d","slot_name":"s","start":"0/1","more":"x"})",
        R"("database":"d","slot_name":"s"}x)", R"("database":"d","slot_name":"s)",
        R"("database":"d"})", R"("database":"\x","slot_name":"s"})",
        R"("database":"\u0180","slot_name":"s"})", R"("database":"\u00)", R"("database":"\u00f)",
        R"("database":"\udc41","slot_name":"s"})", R"("database":"\u00f0","slot_name":"s"})",
        R"("database":"d\)"})
    CHECK_FALSE(read_header(start + rest));
  CHECK(read_header(start + R"("database":"d","slot_name":"s"})"));
}
