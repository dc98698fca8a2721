// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/line_writer.hpp"
#include "replicant/tests/sinks/jsonl_fixture.hpp"
#include "replicant/tests/sinks/written_lines.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <chrono>

using namespace replicant;
using namespace replicant::test;

namespace {

/// The definition, bit by bit.
std::uint32_t slow_crc32c(std::string_view bytes) {
  std::uint32_t state = 0xFFFFFFFF;
  for (const auto c : bytes) {
    state ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit)
      state = (state >> 1U) ^ ((state & 1U) != 0 ? 0x82F63B78U : 0U);
  }
  return ~state;
}

std::string hex8(std::uint32_t value) {
  std::array<char, 9> text{};
  std::snprintf(text.data(), text.size(), "%08x", value);
  return text.data();
}

constexpr lsn commit{0x16E3778};

} // namespace

TEST_CASE("the lines are exactly as documented", "[sinks][unit]") {
  using namespace std::chrono;
  const auto time = to_timestamp(sys_days{year{2026} / 7 / 14} + 10h + 123456us);
  const auto txn = transaction_builder{commit, 745, time}
                     .update(orders, {text("1"), text("x"), unchanged_cell}, old_image::key,
                             {text("1"), null_cell, null_cell})
                     .message(lsn{0x16E3700}, "mail", "hello")
                     .build();
  line_writer writer;
  writer.header(shop());
  CHECK(writer.pending() == shop_header);

  const auto bytes = write_transaction(txn);
  const auto lines = lines_of(bytes);
  REQUIRE(lines.size() == 4);
  CHECK(
    lines[0] ==
    R"({"kind":"begin","xid":745,"commit_lsn":"0/16E3778","commit_time":"2026-07-14T10:00:00.123456Z"})");
  CHECK(
    lines[1] ==
    R"({"kind":"change","op":"update","schema":"public","table":"orders","commit_lsn":"0/16E3778","ordinal":0,"record":{"id":1,"note":"x"},"old":{"id":1},"unchanged":["blob"]})");
  CHECK(
    lines[2] ==
    R"({"kind":"message","transactional":true,"prefix":"mail","content_base64":"aGVsbG8=","lsn":"0/16E3700","ordinal":1})");
  const auto covered = bytes.substr(0, bytes.rfind(R"({"kind":"commit")"));
  CHECK(lines[3] == R"({"kind":"commit","xid":745,"commit_lsn":"0/16E3778","changes":1,"bytes":)" +
                      std::to_string(covered.size()) + R"(,"crc32c":")" +
                      hex8(slow_crc32c(covered)) + R"("})");
}

TEST_CASE("lines that stand alone are exactly as documented", "[sinks][unit]") {
  line_writer writer;
  writer.progress(watermark::through(lsn{0x16E4000}));
  writer.message({.transactional = false, .at = lsn{0x16E4100}, .prefix = "p\n", .content = "a"});
  CHECK(writer.pending() == "{\"kind\":\"progress\",\"lsn\":\"0/16E4000\"}\n"
                            "{\"kind\":\"message\",\"transactional\":false,\"prefix\":\"p\\n\","
                            "\"content_base64\":\"YQ==\",\"lsn\":\"0/16E4100\"}\n");
}

TEST_CASE("each operation has its own shape", "[sinks][unit]") {
  const std::string at =
    R"(,"schema":"public","table":"orders","commit_lsn":"0/16E3778","ordinal":)";
  const auto lines = middle_of(transaction_builder{commit}
                                 .insert(orders, {text("1"), null_cell, text("\\x00")})
                                 .update(orders, {text("1"), text(""), null_cell})
                                 .update(orders, {text("2"), text("b"), text("c")}, old_image::full,
                                         {text("1"), null_cell, unchanged_cell})
                                 .remove(orders, old_image::key, {text("2"), null_cell, null_cell})
                                 .remove(orders, old_image::full, {text("2"), null_cell, text("c")})
                                 .truncate(orders, true, false)
                                 .build());
  REQUIRE(lines.size() == 6);
  CHECK(lines[0] == R"({"kind":"change","op":"insert")" + at +
                      R"(0,"record":{"id":1,"note":null,"blob":"\\x00"}})");
  CHECK(lines[1] ==
        R"({"kind":"change","op":"update")" + at + R"(1,"record":{"id":1,"note":"","blob":null}})");
  CHECK(lines[2] == R"({"kind":"change","op":"update")" + at +
                      R"(2,"record":{"id":2,"note":"b","blob":"c"},"old":{"id":1,"note":null}})");
  CHECK(lines[3] == R"({"kind":"change","op":"delete")" + at + R"(3,"old":{"id":2}})");
  CHECK(lines[4] ==
        R"({"kind":"change","op":"delete")" + at + R"(4,"old":{"id":2,"note":null,"blob":"c"}})");
  CHECK(lines[5] == R"({"kind":"change","op":"truncate")" + at +
                      R"(5,"cascade":true,"restart_identity":false})");
}

TEST_CASE("NULL, the empty string and words for NULL stay apart", "[sinks][unit]") {
  relation table = orders;
  table.columns = {{.name = "v", .type = 25}};
  transaction_builder builder{commit};
  for (const auto* value : {"", "NULL", "null", "\\N", "tab\there", "line\nbreak"})
    builder.insert(table, {text(value)});
  builder.insert(table, {null_cell}).update(table, {unchanged_cell});
  std::vector<std::string> records;
  for (const auto& line : middle_of(builder.build()))
    records.push_back(nlohmann::json::parse(line)["record"].dump());
  CHECK(records == std::vector<std::string>{R"({"v":""})", R"({"v":"NULL"})", R"({"v":"null"})",
                                            R"({"v":"\\N"})", R"({"v":"tab\there"})",
                                            R"({"v":"line\nbreak"})", R"({"v":null})", "{}"});
}

TEST_CASE("a key image of a table without key columns is written whole", "[sinks][unit]") {
  relation table = orders;
  table.columns[0].key = false;
  const auto lines = middle_of(transaction_builder{commit}
                                 .remove(table, old_image::key, {text("1"), text("a"), null_cell})
                                 .build());
  CHECK(nlohmann::json::parse(lines.at(0))["old"].dump() == R"({"blob":null,"id":1,"note":"a"})");
}

TEST_CASE("names are escaped like values", "[sinks][unit]") {
  relation table = orders;
  table.schema = "we\"ird";
  table.name = "new\nline";
  table.columns = {{.name = "a\":1,\"b", .type = 23}, {.name = "ü", .type = 23}};
  const auto lines =
    middle_of(transaction_builder{commit}.update(table, {text("1"), unchanged_cell}).build());
  const auto line = nlohmann::json::parse(lines.at(0));
  CHECK(line["schema"] == "we\"ird");
  CHECK(line["table"] == "new\nline");
  CHECK(line["record"].dump() == R"({"a\":1,\"b":1})");
  CHECK(line["unchanged"].dump() == "[\"ü\"]");
}

TEST_CASE("a table that changes its shape is written in its new one", "[sinks][unit]") {
  line_writer writer;
  auto changed = orders;
  changed.columns = {{.name = "number", .type = 20}};
  const auto before =
    transaction_builder{lsn{10}}.insert(orders, {text("1"), null_cell, null_cell}).build();
  const auto within = transaction_builder{lsn{20}}
                        .insert(orders, {text("1"), null_cell, null_cell})
                        .insert(changed, {text("2")})
                        .insert(orders, {text("3"), null_cell, null_cell})
                        .build();
  for (const auto* txn : {&before, &within, &before}) {
    writer.begin(*txn);
    for (const auto& one : txn->events())
      REQUIRE(writer.add(one));
    writer.commit();
  }
  std::vector<std::string> records;
  for (const auto& line : lines_of(writer.pending()))
    if (const auto parsed = nlohmann::json::parse(line); parsed["kind"] == "change")
      records.push_back(parsed["record"].dump());
  const std::string old_shape = R"({"blob":null,"id":1,"note":null})";
  CHECK(records == std::vector<std::string>{old_shape, old_shape, R"({"number":2})",
                                            R"({"blob":null,"id":3,"note":null})", old_shape});
}

TEST_CASE("another table at the same address is not taken for the old one", "[sinks][unit]") {
  line_writer writer;
  auto table = orders;
  const std::vector<cell> row{text("1"), null_cell, null_cell};
  const auto insert = [&] {
    writer.begin(transaction_builder{commit}.build());
    REQUIRE(writer.add(change{.table = &table, .record = row, .old = {}}));
    writer.commit();
  };
  insert();
  writer.taken();
  table.name = "items";
  table.oid = 16500;
  insert();
  CHECK(writer.pending().find(R"("table":"items")") != std::string_view::npos);
  writer.taken();
  table.name = "renamed";
  insert();
  CHECK(writer.pending().find(R"("table":"renamed")") != std::string_view::npos);
}

TEST_CASE("carrying lines away inside of a transaction does not change it", "[sinks][unit]") {
  transaction_builder builder{commit};
  for (int i = 0; i < 20; ++i)
    builder.insert(orders, {text(std::to_string(i)), text("note"), null_cell});
  const auto txn = builder.build();
  line_writer writer;
  std::string carried;
  const auto carry = [&] {
    carried.append(writer.pending());
    writer.taken();
  };
  writer.begin(txn);
  carry();
  for (const auto& one : txn.events()) {
    REQUIRE(writer.add(one));
    carry();
  }
  writer.commit();
  carry();
  CHECK(carried == write_transaction(txn));
}

TEST_CASE("a row that cannot be written is a failure that names its place", "[sinks][unit]") {
  const std::vector<cell> binary{{cell_kind::binary, "x"}, text("1"), null_cell};
  const std::vector<cell> too_few{text("1")};
  const std::vector<cell> too_many(4, null_cell);
  for (const auto& [row, why] :
       {std::pair{&binary, reason::binary_unreadable}, std::pair{&too_few, reason::decode_failure},
        std::pair{&too_many, reason::decode_failure}}) {
    line_writer writer;
    writer.begin(transaction_builder{commit}.build());
    const auto done = writer.add(change{.table = &orders, .record = *row, .old = {}});
    REQUIRE_FALSE(done);
    CHECK(done.error().why == why);
    CHECK(done.error().relation == orders.oid);
    CHECK(done.error().at == commit);
  }
}

TEST_CASE("every line is JSON to another parser", "[sinks][unit]") {
  relation table = orders;
  table.columns = {{.name = "b", .type = 16, .key = true},
                   {.name = "i", .type = 20},
                   {.name = "f", .type = 701},
                   {.name = "n", .type = 1700},
                   {.name = "t", .type = 25}};
  const auto txn =
    transaction_builder{commit}
      .insert(table,
              {text("t"), text("9223372036854775807"), text("NaN"), text("1.10"), text("\x01\"")})
      .update(table, {text("f"), unchanged_cell, text("-1.5e-07"), null_cell, unchanged_cell},
              old_image::key, {text("t"), null_cell, null_cell, null_cell, null_cell})
      .message(lsn{5}, "p", "c")
      .truncate(table, false, true)
      .build();
  const auto lines = lines_of(write_transaction(txn));
  for (const auto& line : lines)
    REQUIRE(nlohmann::json::accept(line));
  const auto insert = nlohmann::json::parse(lines.at(1))["record"];
  CHECK(insert["b"] == true);
  CHECK(insert["i"] == 9223372036854775807);
  CHECK(insert["f"] == "NaN");
  CHECK(insert["n"] == "1.10");
  CHECK(nlohmann::json::parse(lines.at(2))["unchanged"].dump() == R"(["i","t"])");
  CHECK(nlohmann::json::parse(lines.at(4))["restart_identity"] == true);
}
