// SPDX-License-Identifier: MIT
#include "replicant/core/protocol/pgoutput.hpp"
#include "replicant/tests/support/wire_bytes.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <string_view>

using namespace replicant;
using namespace std::string_view_literals;

namespace {

bool refused(const std::string& payload) {
  pgoutput_decoder decoder;
  const auto unwrapped = unwrap(payload, false);
  if (!unwrapped)
    return unwrapped.error().why == reason::decode_failure;
  const auto message = decoder.decode(*unwrapped);
  return !message && message.error().why == reason::decode_failure;
}

wire_bytes insert() {
  return wire_bytes{}.u8('I').u32(7).u8('N');
}

wire_bytes relation_head(char identity) {
  return wire_bytes{}.u8('R').u32(7).text("public").text("t").u8(identity);
}

wire_bytes plain_column() {
  return wire_bytes{}.u8(0).text("c").u32(23).u32(0);
}

struct refusal {
  std::string why;
  std::string payload;
};

} // namespace

TEST_CASE("unknown tags and those of other protocol versions are refused", "[protocol][unit]") {
  const auto known = "BCORYIUDTMSEcA"sv;
  for (auto tag = 0; tag < 256; ++tag) {
    CAPTURE(tag);
    if (known.find(static_cast<char>(tag)) == std::string_view::npos)
      for (std::size_t length = 0; length < 64; ++length)
        CHECK(refused(wire_bytes{}.u8(tag).raw(std::string(length, '\0')).str()));
  }
  CHECK(refused(""));
}

TEST_CASE("flags and options without a meaning are refused", "[protocol][unit]") {
  const auto flag = GENERATE(4, 8, 16, 32, 64, 128, 255);
  CHECK(refused(wire_bytes{}.u8('C').u8(flag).u64(1).u64(2).u64(3).str()));
  CHECK(refused(wire_bytes{}.u8('C').u8(1).u64(1).u64(2).u64(3).str()));
  CHECK(refused(wire_bytes{}.u8('T').u32(1).u8(flag).u32(7).str()));
  CHECK(refused(wire_bytes{}.u8('M').u8(flag).u64(1).text("").u32(0).str()));
  CHECK(refused(wire_bytes{}.u8('M').u8(2).u64(1).text("").u32(0).str()));
  CHECK(refused(relation_head('d').u16(1).u8(flag).text("c").u32(23).u32(0).str()));
  CHECK(refused(relation_head('d').u16(1).u8(2).text("c").u32(23).u32(0).str()));
}

TEST_CASE("a row that is not exactly a row is refused", "[protocol][unit]") {
  const auto key = wire_bytes{}.u8('K').u16(1).u8('n').str();
  const auto record = wire_bytes{}.u8('N').u16(1).u8('n').str();
  const auto row = [](char tag) { return wire_bytes{}.u8(tag).u32(7); };
  const auto bad = GENERATE_COPY(values<refusal>({
    {"insert of an old key", row('I').raw(key).str()},
    {"insert with an old key", row('I').raw(key).raw(record).str()},
    {"insert without a tuple", row('I').str()},
    {"insert of two rows", row('I').raw(record).raw(record).str()},
    {"update without a new row", row('U').raw(key).str()},
    {"update with two old keys", row('U').raw(key).raw(key).raw(record).str()},
    {"update with the old key last", row('U').raw(record).raw(key).str()},
    {"update of an unknown image", row('U').u8('X').u16(1).u8('n').raw(record).str()},
    {"delete of a new row", row('D').raw(record).str()},
    {"delete with a new row", row('D').raw(key).raw(record).str()},
    {"delete without an image", row('D').str()},
    {"unknown cell", insert().u16(1).u8('x').str()},
    {"cell tag NUL", insert().u16(1).u8(0).str()},
    {"fewer cells than counted", insert().u16(2).u8('n').str()},
    {"more cells than counted", insert().u16(1).u8('n').u8('n').str()},
    {"many more cells counted than bytes", insert().u16(0xFFFF).u8('n').str()},
    {"negative length", insert().u16(1).u8('t').u32(0xFFFFFFFF).raw("abc").str()},
    {"most negative length", insert().u16(1).u8('b').u32(0x80000000).raw("abc").str()},
    {"huge length", insert().u16(1).u8('t').u32(0x7FFFFFFF).raw("abc").str()},
    {"length one too long", insert().u16(1).u8('t').u32(4).raw("abc").str()},
    {"length one too short", insert().u16(1).u8('t').u32(2).raw("abc").str()},
    {"length missing", insert().u16(1).u8('t').str()},
  }));
  CAPTURE(bad.why);
  CHECK(refused(bad.payload));
  pgoutput_decoder decoder;
  CHECK_FALSE(decoder.decode_row(unwrap(bad.payload, false).value()));
}

TEST_CASE("a relation that is not exactly one is refused", "[protocol][unit]") {
  const auto bad = GENERATE(values<refusal>({
    {"unknown identity", relation_head('x').u16(0).str()},
    {"identity NUL", relation_head('\0').u16(0).str()},
    {"upper-case identity", relation_head('D').u16(0).str()},
    {"no column count", relation_head('d').str()},
    {"fewer columns than counted", relation_head('d').u16(2).raw(plain_column().str()).str()},
    {"more columns than counted",
     relation_head('d').u16(1).raw(plain_column().str()).raw(plain_column().str()).str()},
    {"columns none of which was counted",
     relation_head('d').u16(0).raw(plain_column().str()).str()},
    {"many more columns counted than bytes", relation_head('d').u16(0xFFFF).str()},
    {"a column's name without its end",
     relation_head('d').u16(1).u8(0).raw("column without an end").str()},
    {"a table's name without its end", wire_bytes{}.u8('R').u32(7).text("public").raw("t").str()},
    {"a schema without its end", wire_bytes{}.u8('R').u32(7).raw("public").str()},
  }));
  CAPTURE(bad.why);
  CHECK(refused(bad.payload));
}

TEST_CASE("the accepted twins of refused relations show what the refusals are about",
          "[protocol][unit]") {
  for (const auto identity : {'d', 'n', 'f', 'i'}) {
    CHECK_FALSE(refused(relation_head(identity).u16(0).str()));
    CHECK_FALSE(refused(relation_head(identity).u16(1).raw(plain_column().str()).str()));
  }
}

TEST_CASE("other messages that are not exactly one are refused", "[protocol][unit]") {
  const auto bad = GENERATE(values<refusal>({
    {"begin too short", wire_bytes{}.u8('B').u64(1).u64(2).u16(3).str()},
    {"begin too long", wire_bytes{}.u8('B').u64(1).u64(2).u32(3).u8(0).str()},
    {"commit too short", wire_bytes{}.u8('C').u8(0).u64(1).u64(2).u32(3).str()},
    {"commit too long", wire_bytes{}.u8('C').u8(0).u64(1).u64(2).u64(3).u8(0).str()},
    {"origin without an end", wire_bytes{}.u8('O').u64(1).raw("name").str()},
    {"origin too long", wire_bytes{}.u8('O').u64(1).text("name").u8(0).str()},
    {"type without an end", wire_bytes{}.u8('Y').u32(1).text("public").raw("t").str()},
    {"type too long", wire_bytes{}.u8('Y').u32(1).text("public").text("t").u8(0).str()},
    {"truncate of fewer than counted", wire_bytes{}.u8('T').u32(2).u8(0).u32(7).str()},
    {"truncate of more than counted", wire_bytes{}.u8('T').u32(1).u8(0).u32(7).u32(8).str()},
    {"truncate of half an OID", wire_bytes{}.u8('T').u32(1).u8(0).u32(7).u16(8).str()},
    {"truncate of very many", wire_bytes{}.u8('T').u32(0xFFFFFFFF).u8(0).u32(7).str()},
    {"truncate whose count wraps", wire_bytes{}.u8('T').u32(0x40000000).u8(0).str()},
    {"message with less content", wire_bytes{}.u8('M').u8(1).u64(1).text("p").u32(2).u8(0).str()},
    {"message with more content", wire_bytes{}.u8('M').u8(1).u64(1).text("p").u32(0).u8(0).str()},
    {"message of negative length",
     wire_bytes{}.u8('M').u8(1).u64(1).text("p").u32(0xFFFFFFFF).u8(0).str()},
    {"message prefix without an end", wire_bytes{}.u8('M').u8(1).u64(1).raw("prefix").str()},
    {"stream abort too short", wire_bytes{}.u8('A').u32(1).u16(2).str()},
    {"stream start too short", wire_bytes{}.u8('S').u32(1).str()},
    {"stream start too long", wire_bytes{}.u8('S').u32(1).u8(1).u8(0).str()},
    {"stream start with an unknown flag", wire_bytes{}.u8('S').u32(1).u8(2).str()},
    {"stream stop too long", wire_bytes{}.u8('E').u8(0).str()},
    {"stream commit too short", wire_bytes{}.u8('c').u32(1).u8(0).u64(1).u64(2).str()},
    {"stream commit with flags", wire_bytes{}.u8('c').u32(1).u8(1).u64(1).u64(2).u64(3).str()},
    {"stream commit too long", wire_bytes{}.u8('c').u32(1).u8(0).u64(1).u64(2).u64(3).u8(0).str()},
    {"stream abort of protocol 4", wire_bytes{}.u8('A').u32(1).u32(2).u64(3).u64(4).str()},
  }));
  CAPTURE(bad.why);
  CHECK(refused(bad.payload));
}

TEST_CASE("a fault of the decoder carries its reason and nothing else", "[protocol][unit]") {
  pgoutput_decoder decoder;
  const auto payload = insert().u16(1).u8('t').u32(99).raw("secret").str();
  const auto message = decoder.decode(*unwrap(payload, false));
  REQUIRE_FALSE(message);
  CHECK(to_string(message.error()) == to_string(fault{.why = reason::decode_failure}));
}
