// SPDX-License-Identifier: MIT
#include "replicant/core/protocol/pgoutput.hpp"
#include "replicant/tests/support/wire_bytes.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <string_view>
#include <vector>

using namespace replicant;
using namespace std::string_view_literals;

namespace {

/// Outside of a segment.
wire_message plain(std::string_view payload) {
  return unwrap(payload, false).value();
}

/// Decodes with a fresh decoder; for messages that hold no tuple and no OIDs.
template <class Message>
Message decoded(const std::string& payload) {
  pgoutput_decoder decoder;
  const auto message = decoder.decode(plain(payload));
  REQUIRE(message);
  REQUIRE(std::holds_alternative<Message>(*message));
  return std::get<Message>(*message);
}

/// A row of a relation 7 up to its first image.
wire_bytes row(char tag) {
  return wire_bytes{}.u8(tag).u32(7);
}

} // namespace

TEST_CASE("begin and commit name the same commit record", "[protocol][unit]") {
  const auto begin = decoded<begin_message>(wire_bytes{}.u8('B').u64(5).u64(6).u32(7).str());
  CHECK(begin.final_lsn == lsn{5});
  CHECK(begin.commit_time == timestamp{6});
  CHECK(begin.xid == 7);
  const auto commit =
    decoded<commit_message>(wire_bytes{}.u8('C').u8(0).u64(5).u64(8).u64(6).str());
  CHECK(commit.commit_lsn == lsn{5});
  CHECK(commit.end_lsn == lsn{8});
  CHECK(commit.commit_time == timestamp{6});
}

TEST_CASE("an origin's name comes without its NUL", "[protocol][unit]") {
  const auto bytes = wire_bytes{}.u8('O').u64(5).text("elsewhere").str();
  const auto origin = decoded<origin_message>(bytes);
  CHECK(origin.at == lsn{5});
  CHECK(origin.name == "elsewhere");
}

TEST_CASE("a relation is read with its columns, keys and modifiers", "[protocol][unit]") {
  auto bytes = wire_bytes{}.u8('R').u32(7).text("public").text("t").u8('i').u16(2);
  bytes.u8(1).text("id").u32(23).u32(0xFFFFFFFF).u8(0).text("").u32(1043).u32(44);
  CHECK(decoded<relation>(bytes.str()) ==
        relation{.oid = 7,
                 .schema = "public",
                 .name = "t",
                 .identity = replica_identity::index,
                 .columns = {{.name = "id", .type = 23, .type_modifier = -1, .key = true},
                             {.name = "", .type = 1043, .type_modifier = 44, .key = false}}});
}

TEST_CASE("the empty schema is spelled pg_catalog", "[protocol][unit]") {
  const auto table = wire_bytes{}.u8('R').u32(7).text("").text("t").u8('n').u16(0).str();
  CHECK(decoded<relation>(table).schema == "pg_catalog");
  const auto type = wire_bytes{}.u8('Y').u32(9).text("").text("int4").str();
  CHECK(decoded<type_message>(type).schema == "pg_catalog");
  CHECK(decoded<type_message>(type).name == "int4");
  CHECK(decoded<type_message>(type).oid == 9);
}

TEST_CASE("cells are views of every kind", "[protocol][unit]") {
  auto bytes = row('I').u8('N').u16(5).u8('n').u8('u').cell('t', "x\0y"sv).cell('b', "\xFF");
  bytes.cell('t', "");
  pgoutput_decoder decoder;
  const auto read = decoder.decode_row(plain(bytes.str()));
  REQUIRE(read);
  CHECK(read->op == operation::insert);
  CHECK(read->relation == 7);
  CHECK(read->old_kind == old_image::none);
  CHECK(read->old.empty());
  REQUIRE(read->record.size() == 5);
  CHECK(read->record[0].kind == cell_kind::null);
  CHECK(read->record[1].kind == cell_kind::unchanged);
  CHECK(read->record[2].kind == cell_kind::text);
  CHECK(read->record[2].bytes == "x\0y"sv);
  CHECK(read->record[3].kind == cell_kind::binary);
  CHECK(read->record[3].bytes == "\xFF");
  CHECK(read->record[4].kind == cell_kind::text);
  CHECK(read->record[4].bytes.empty());
}

TEST_CASE("a cell left from an earlier row never shows through", "[protocol][unit]") {
  pgoutput_decoder decoder;
  REQUIRE(decoder.decode_row(plain(row('I').u8('N').u16(1).cell('t', "old").str())));
  const auto bytes = row('I').u8('N').u16(1).u8('n').str();
  const auto read = decoder.decode_row(plain(bytes));
  REQUIRE(read);
  CHECK(read->record[0].bytes.empty());
}

TEST_CASE("an update may carry nothing, the key or the row of before", "[protocol][unit]") {
  struct example {
    std::string bytes;
    old_image kind;
    std::size_t old_cells;
  };

  const auto [bytes, kind, old_cells] = GENERATE(values<example>(
    {{row('U').u8('N').u16(1).cell('t', "new").str(), old_image::none, 0},
     {row('U').u8('K').u16(1).cell('t', "old").u8('N').u16(1).cell('t', "new").str(),
      old_image::key, 1},
     {row('U').u8('O').u16(2).u8('n').u8('n').u8('N').u16(1).cell('t', "new").str(),
      old_image::full, 2}}));
  pgoutput_decoder decoder;
  const auto read = decoder.decode_row(plain(bytes));
  REQUIRE(read);
  CHECK(read->op == operation::update);
  CHECK(read->old_kind == kind);
  CHECK(read->old.size() == old_cells);
  REQUIRE(read->record.size() == 1);
  CHECK(read->record[0].bytes == "new");
}

TEST_CASE("a delete carries the key or the row of before", "[protocol][unit]") {
  const auto [tag, kind] =
    GENERATE(table<char, old_image>({{'K', old_image::key}, {'O', old_image::full}}));
  const auto bytes = row('D').u8(tag).u16(1).cell('t', "old").str();
  pgoutput_decoder decoder;
  const auto read = decoder.decode_row(plain(bytes));
  REQUIRE(read);
  CHECK(read->op == operation::remove);
  CHECK(read->old_kind == kind);
  REQUIRE(read->old.size() == 1);
  CHECK(read->old[0].bytes == "old");
  CHECK(read->record.empty());
}

TEST_CASE("the old tuple survives that the new one makes the decoder grow", "[protocol][unit]") {
  auto bytes = row('U').u8('O').u16(1).cell('t', "old").u8('N').u16(1000);
  for (auto i = 0; i < 1000; ++i)
    bytes.cell('t', "new");
  pgoutput_decoder decoder;
  const auto read = decoder.decode_row(plain(bytes.str()));
  REQUIRE(read);
  CHECK(read->old[0].bytes == "old");
  CHECK(read->record[999].bytes == "new");
}

TEST_CASE("rows reuse the cells of the widest one seen", "[protocol][unit]") {
  const auto wide = row('I').u8('N').u16(3).u8('n').u8('n').u8('n').str();
  const auto narrow = row('D').u8('K').u16(1).u8('n').str();
  pgoutput_decoder decoder;
  const auto* const first = decoder.decode_row(plain(wide))->record.data();
  CHECK(decoder.decode_row(plain(narrow))->old.data() == first);
  CHECK(decoder.decode_row(plain(wide))->record.data() == first);
}

TEST_CASE("a truncate lists its relations and options", "[protocol][unit]") {
  const auto options = GENERATE(0, 1, 2, 3);
  const auto bytes = wire_bytes{}.u8('T').u32(2).u8(options).u32(7).u32(0xFFFFFFFF).str();
  pgoutput_decoder decoder;
  const auto message = decoder.decode(plain(bytes));
  REQUIRE(message);
  const auto& truncate = std::get<truncate_message>(*message);
  CHECK(truncate.how.cascade == (options % 2 == 1));
  CHECK(truncate.how.restart_identity == (options >= 2));
  CHECK(std::vector<std::uint32_t>(truncate.relations.begin(), truncate.relations.end()) ==
        std::vector<std::uint32_t>{7, 0xFFFFFFFF});
}

TEST_CASE("a logical message keeps every byte of its content", "[protocol][unit]") {
  const auto transactional = GENERATE(false, true);
  const auto bytes =
    wire_bytes{}.u8('M').u8(transactional).u64(5).text("pre\"fix").u32(3).raw("a\0b"sv).str();
  const auto message = decoded<logical_message>(bytes);
  CHECK(message.transactional == transactional);
  CHECK(message.at == lsn{5});
  CHECK(message.ordinal == 0);
  CHECK(message.prefix == "pre\"fix");
  CHECK(message.content == "a\0b"sv);
}

TEST_CASE("what frames a stream is told with its transactions", "[protocol][unit]") {
  const auto first = GENERATE(false, true);
  const auto start = decoded<stream_start_message>(wire_bytes{}.u8('S').u32(745).u8(first).str());
  CHECK(start.xid == 745);
  CHECK(start.first_segment == first);
  CHECK_NOTHROW(decoded<stream_stop_message>("E"));

  const auto commit =
    decoded<stream_commit_message>(wire_bytes{}.u8('c').u32(745).u8(0).u64(5).u64(8).u64(6).str());
  CHECK(commit.xid == 745);
  CHECK(commit.commit_lsn == lsn{5});
  CHECK(commit.end_lsn == lsn{8});
  CHECK(commit.commit_time == timestamp{6});

  const auto abort =
    decoded<stream_abort_message>(wire_bytes{}.u8('A').u32(745).u32(0xFFFFFFFF).str());
  CHECK(abort.xid == 745);
  CHECK(abort.subxid == 0xFFFFFFFF);
}

TEST_CASE("in a segment a message names its subtransaction and is otherwise the same",
          "[protocol][unit]") {
  const auto plain_payload = GENERATE(
    as<std::string>{}, insert_payload(7, {"a"}), delete_payload(7, {"a"}), truncate_payload({7, 8}),
    relation_payload(7, "t", {"id"}), message_payload(true, lsn{5}, "p", "x"),
    wire_bytes{}.u8('Y').u32(9).text("public").text("e").str());
  auto in_segment = plain_payload;
  in_segment.insert(1, wire_bytes{}.u32(746).str());
  const auto inside = unwrap(in_segment, true).value();
  CHECK(inside.xid == 746);
  CHECK(inside.tag == plain_payload[0]);
  CHECK(inside.body == plain(plain_payload).body);
  CHECK(plain(plain_payload).xid == 0);
  CHECK_FALSE(unwrap(plain_payload.substr(0, 3), true));
}

TEST_CASE("in a segment its end and an origin name no transaction", "[protocol][unit]") {
  CHECK(unwrap("E", true)->xid == 0);
  const auto origin = wire_bytes{}.u8('O').u64(5).text("elsewhere").str();
  CHECK(unwrap(origin, true)->xid == 0);
  CHECK(unwrap(origin, true)->body == plain(origin).body);
  CHECK_FALSE(unwrap("", true));
}

TEST_CASE("the options of a truncate are read by themselves", "[protocol][unit]") {
  CHECK(decode_truncate_options("\1")->cascade);
  CHECK(decode_truncate_options("\2")->restart_identity);
  CHECK_FALSE(decode_truncate_options("\4"));
  CHECK_FALSE(decode_truncate_options(""));
  CHECK_FALSE(decode_truncate_options("\1\1"));
}

TEST_CASE("only rows announce themselves as rows and are read as such", "[protocol][unit]") {
  const auto begin = wire_bytes{}.u8('B').u64(5).u64(6).u32(7).str();
  pgoutput_decoder decoder;
  CHECK_FALSE(plain(begin).is_row());
  CHECK_FALSE(decoder.decode_row(plain(begin)));
  CHECK_FALSE(wire_message{}.is_row());
  CHECK_FALSE(decoder.decode_row(wire_message{}));
  for (const auto tag : {'I', 'U', 'D'})
    CHECK(plain(row(tag).str()).is_row());
}
