// SPDX-License-Identifier: MIT
#include "replicant/tests/sinks/jsonl_fixture.hpp"
#include "replicant/tests/sinks/written_lines.hpp"

using namespace replicant;
using namespace replicant::test;

namespace {

constexpr lsn commit{0x16E3778};

} // namespace

TEST_CASE("a document that cannot be embedded makes its column text in the whole line",
          "[sinks][unit]") {
  relation table = orders;
  table.columns = {{.name = "id", .type = 23, .key = true},
                   {.name = "doc", .type = 114},
                   {.name = "more", .type = 3802},
                   {.name = "blob", .type = 17}};
  const auto* const half = R"("\ud800")";
  const auto lines =
    middle_of(transaction_builder{commit}
                .insert(table, {text("1"), text("[\n1]"), text("{}"), null_cell})
                .update(table, {text("1"), text("{}"), text("{}"), unchanged_cell}, old_image::full,
                        {text("1"), text(half), text("[]"), text("b")})
                .update(table, {text("1"), text(half), text(half), null_cell}, old_image::full,
                        {text("1"), text("1"), null_cell, null_cell})
                .insert(table, {text("1"), text("2"), text("3"), null_cell})
                .build());
  REQUIRE(lines.size() == 4);
  const auto images = [&](std::size_t line) {
    return lines[line].substr(lines[line].find(R"("record")"));
  };
  CHECK(images(0) == R"("record":{"id":1,"doc":[ 1],"more":{},"blob":null}})");
  CHECK(images(1) == R"("record":{"id":1,"doc":"{}","more":{}},)"
                     R"("old":{"id":1,"doc":"\"\\ud800\"","more":[],"blob":"b"},)"
                     R"("unchanged":["blob"],"json_as_text":["doc"]})");
  CHECK(images(2) ==
        R"("record":{"id":1,"doc":"\"\\ud800\"","more":"\"\\ud800\"","blob":null},)"
        R"("old":{"id":1,"doc":"1","more":null,"blob":null},"json_as_text":["doc","more"]})");
  CHECK(images(3) == R"("record":{"id":1,"doc":2,"more":3,"blob":null}})");
}

TEST_CASE("the document null is told from NULL", "[sinks][unit]") {
  relation table = orders;
  table.columns = {{.name = "id", .type = 23, .key = true},
                   {.name = "doc", .type = 114},
                   {.name = "more", .type = 3802}};
  const auto lines =
    middle_of(transaction_builder{commit}
                .insert(table, {text("1"), text(" null\n"), null_cell})
                .update(table, {text("1"), null_cell, text("null")}, old_image::full,
                        {text("1"), text("null"), text(R"("null")")})
                .insert(table, {text("1"), null_cell, text("[null]")})
                .build());
  const auto images = [&](std::size_t line) {
    return lines.at(line).substr(lines[line].find(R"("record")"));
  };
  CHECK(images(0) == R"("record":{"id":1,"doc": null ,"more":null},"json_null":["doc"]})");
  CHECK(images(1) == R"("record":{"id":1,"doc":null,"more":null},)"
                     R"("old":{"id":1,"doc":null,"more":"null"},)"
                     R"("json_null":["more"],"old_json_null":["doc"]})");
  CHECK(images(2) == R"("record":{"id":1,"doc":null,"more":[null]}})");
}

namespace {

/// Knows one type, and counts how often it was asked.
class scripted_catalog final : public type_catalog {
public:
  result<std::shared_ptr<const type_shape>> find(std::uint32_t oid) override {
    ++asked;
    if (failing)
      return failure(reason::server_unavailable);
    return oid == 70000 ? built_in_type(23) : std::make_shared<const type_shape>();
  }

  int asked = 0;
  bool failing = false;
};

} // namespace

TEST_CASE("types that are not built in are looked up once for each version of a table",
          "[sinks][unit]") {
  const auto catalog = std::make_shared<scripted_catalog>();
  line_writer writer{{.catalog = catalog}};
  relation table = orders;
  table.columns = {{.name = "number", .type = 70000}, {.name = "gone", .type = 70001}};
  const auto insert = [&] {
    transaction_builder builder{commit};
    builder.insert(table, {text("1"), text("1")}).insert(table, {text("2"), text("2")});
    const auto txn = builder.build();
    writer.begin(txn);
    for (const auto& one : txn.events())
      REQUIRE(writer.add(one));
    writer.commit();
  };
  insert();
  insert();
  CHECK(catalog->asked == 2);
  CHECK(writer.pending().find(R"("record":{"number":2,"gone":"2"})") != std::string_view::npos);
  table.columns[0].name = "renamed";
  insert();
  CHECK(catalog->asked == 4);
}

TEST_CASE("a look-up that fails is the fault of the line, and is tried again", "[sinks][unit]") {
  const auto catalog = std::make_shared<scripted_catalog>();
  line_writer writer{{.catalog = catalog}};
  relation table = orders;
  table.columns = {{.name = "number", .type = 70000}};
  const std::vector<cell> row{text("1")};
  const change one{.table = &table, .record = row, .old = {}};
  writer.begin(transaction_builder{commit}.build());
  catalog->failing = true;
  const auto failed = writer.add(one);
  REQUIRE_FALSE(failed);
  CHECK(failed.error().why == reason::server_unavailable);
  CHECK(failed.error().relation == table.oid);
  catalog->failing = false;
  CHECK(writer.add(one));
}

TEST_CASE("without a catalog a type that is not built in keeps its text", "[sinks][unit]") {
  relation table = orders;
  table.columns = {{.name = "number", .type = 70000}};
  const auto lines = middle_of(transaction_builder{commit}.insert(table, {text("1")}).build());
  CHECK(lines.at(0).ends_with(R"("record":{"number":"1"}})"));
}
