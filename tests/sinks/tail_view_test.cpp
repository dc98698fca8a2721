// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/tail/json_format.hpp"
#include "replicant/actors/sinks/tail/tail_sink.hpp"
#include "replicant/actors/sinks/tail/text_format.hpp"
#include "replicant/tests/sinks/jsonl_fixture.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <sstream>

using namespace replicant;
using namespace replicant::test;
using Catch::Matchers::Contains;

namespace {

relation other_table() {
  auto table = orders;
  table.oid = 16401;
  table.name = "other";
  return table;
}

std::unique_ptr<tail_format> as_text(text_format::key_source keys = {}, std::size_t width = 0) {
  return std::make_unique<text_format>([width] { return text_style{.width = width}; },
                                       std::move(keys));
}

/// A view whose text is kept, and which fails to write with `error` when that is not 0.
struct kept_view {
  explicit kept_view(std::unique_ptr<tail_format> format, std::vector<std::string> tables = {},
                     std::optional<std::uint64_t> most = {})
    : view{std::make_shared<tail_view>(tail_setup{.tables = table_choice{std::move(tables)},
                                                  .most = most,
                                                  .format = std::move(format),
                                                  .write =
                                                    [this](std::string_view text) {
                                                      if (error == 0)
                                                        written.append(text);
                                                      return error;
                                                    },
                                                  .over = [this] { ++overs; }})},
      sink{view} {}

  void give(const transaction& txn) {
    REQUIRE(sink.handle_transaction(txn));
    REQUIRE(sink.make_durable());
  }

  /// As the pipeline begins a generation on a temporary slot.
  void connect(std::uint64_t consistent_point, const session_identity& identity = shop()) {
    REQUIRE(sink.handle_session_identity(identity));
    CHECK(sink.checkpoint()->memory == sink_memory::none);
    REQUIRE(sink.handle_stream_start(stream_start::fresh, identity));
    REQUIRE(sink.handle_frontier(watermark::before(lsn{consistent_point})));
    REQUIRE(sink.make_durable());
  }

  std::string written;
  int error = 0;
  int overs = 0;
  std::shared_ptr<tail_view> view;
  tail_sink sink;
};

transaction three_rows(std::uint64_t commit) {
  return transaction_builder{lsn{commit}, 745, timestamp{}}
    .insert(orders, {text("1"), text("a"), null_cell})
    .insert(other_table(), {text("2"), text("b"), null_cell})
    .insert(orders, {text("3"), text("c"), null_cell})
    .build();
}

std::vector<nlohmann::json> lines_of(const std::string& text) {
  std::vector<nlohmann::json> lines;
  std::istringstream in{text};
  for (std::string line; std::getline(in, line);)
    lines.push_back(nlohmann::json::parse(line));
  return lines;
}

std::vector<std::string> kinds_of(const std::string& text) {
  std::vector<std::string> kinds;
  for (const auto& line : lines_of(text))
    kinds.push_back(line.at("kind"));
  return kinds;
}

using kinds = std::vector<std::string>;

} // namespace

TEST_CASE("a transaction is shown behind a border that tells of it", "[sinks][unit]") {
  kept_view shown{as_text()};
  shown.give(three_rows(0x16E3778));
  CHECK(shown.written ==
        "-- transaction 745, 0/16E3778, 2000-01-01T00:00:00.000000Z, 3 changes --\n"
        "INSERT public.orders  [id=1]  note=a  blob=NULL\n"
        "INSERT public.other  [id=2]  note=b  blob=NULL\n"
        "INSERT public.orders  [id=3]  note=c  blob=NULL\n");
}

TEST_CASE("a border reaches across the terminal", "[sinks][unit]") {
  kept_view shown{as_text({}, 100)};
  shown.give(one_row(0x100));
  const auto border = shown.written.substr(0, shown.written.find('\n'));
  CHECK(border.size() == 100);
  CHECK(border.ends_with(", 1 change " + std::string(100 - border.find(" ---") - 1, '-')));
}

TEST_CASE("only the tables asked for are shown, and no transaction without them", "[sinks][unit]") {
  for (const auto* name : {"other", "public.other"}) {
    kept_view shown{as_text(), {name, "nothing"}};
    shown.give(three_rows(0x100));
    shown.give(one_row(0x200));
    CHECK_THAT(shown.written, Contains(", 1 change --"));
    CHECK_THAT(shown.written, Contains("INSERT public.other"));
    CHECK_THAT(shown.written, !Contains("public.orders"));
    CHECK_THAT(shown.written, !Contains("0/200"));
  }
}

TEST_CASE("a table is named by its name or with its schema, and a dot may be part of either",
          "[sinks][unit]") {
  CHECK(table_choice{{}}.holds("s", "t"));
  CHECK(table_choice::names_table("t", "s", "t"));
  CHECK(table_choice::names_table("s.t", "s", "t"));
  CHECK(table_choice::names_table("a.b.c", "a", "b.c"));
  CHECK(table_choice::names_table("a.b.c", "a.b", "c"));
  CHECK(table_choice::names_table("b.c", "a", "b.c"));
  CHECK_FALSE(table_choice::names_table("s", "s", "t"));
  CHECK_FALSE(table_choice::names_table("T", "s", "t"));
  CHECK_FALSE(table_choice::names_table("sxt", "s", "t"));
  CHECK_FALSE(table_choice::names_table("x.t", "s", "t"));
  CHECK_FALSE(table_choice::names_table("", "s", "t"));
}

TEST_CASE("the JSON form is that of the file, with what is shown counted", "[sinks][unit]") {
  kept_view shown{std::make_unique<json_format>(), {"orders"}};
  shown.connect(0x100);
  CHECK(shown.written == shop_header);
  shown.give(three_rows(0x200));
  CHECK(kinds_of(shown.written) == kinds{"header", "begin", "change", "change", "commit"});
  CHECK(lines_of(shown.written).back().at("changes") == 2);

  line_writer expected;
  const auto txn = one_row(0x300);
  expected.begin(txn);
  for (const auto& one : txn.events())
    REQUIRE(expected.add(one));
  expected.commit();
  shown.written.clear();
  shown.give(txn);
  CHECK(shown.written == expected.pending());
}

TEST_CASE("it is over after as many changes as were asked for", "[sinks][unit]") {
  kept_view shown{as_text(), {}, 4};
  shown.give(three_rows(0x100));
  CHECK(shown.overs == 0);
  shown.give(three_rows(0x200));
  CHECK(shown.overs == 1);
  CHECK_THAT(shown.written,
             Contains("0/200, 2000-01-01T00:00:00.000000Z, the first 1 of 3 changes"));
  const auto so_far = shown.written;
  shown.give(three_rows(0x300));
  REQUIRE(shown.sink.handle_message({.at = lsn{0x400}, .prefix = "p", .content = "c"}));
  REQUIRE(shown.sink.make_durable());
  CHECK(shown.written == so_far);
  CHECK(shown.overs == 1);
}

TEST_CASE("a transaction that ends with the last change asked for is not cut", "[sinks][unit]") {
  kept_view shown{std::make_unique<json_format>(), {"orders"}, 2};
  shown.give(three_rows(0x100));
  CHECK(shown.overs == 1);
  CHECK(kinds_of(shown.written) == kinds{"begin", "change", "change", "commit"});
}

TEST_CASE("the JSON form of a cut transaction has no commit line", "[sinks][unit]") {
  kept_view shown{std::make_unique<json_format>(), {}, 2};
  shown.give(three_rows(0x100));
  CHECK(kinds_of(shown.written) == kinds{"begin", "change", "change", "cut"});
  const auto cut = lines_of(shown.written).back();
  CHECK(cut ==
        nlohmann::json{{"kind", "cut"}, {"xid", 745}, {"commit_lsn", "0/100"}, {"shown", 2}});
}

TEST_CASE("messages are shown whatever tables are asked for, and count", "[sinks][unit]") {
  kept_view shown{as_text(), {"other"}, 2};
  shown.give(transaction_builder{lsn{0x100}}.message(lsn{0x90}, "mail", "x").build());
  REQUIRE(shown.sink.handle_message({.at = lsn{0x110}, .prefix = "mail", .content = "y"}));
  CHECK_THAT(shown.written, Contains("MESSAGE mail  x\n"));
  CHECK_THAT(shown.written, Contains("MESSAGE mail  y  (outside of transactions, 0/110)\n"));
  CHECK(shown.overs == 1);
}

TEST_CASE("a new connection tells what was not seen in between", "[sinks][unit]") {
  kept_view shown{std::make_unique<json_format>()};
  shown.connect(0x100);
  shown.give(one_row(0x200));
  REQUIRE(shown.sink.handle_frontier(watermark::through(lsn{0x220})));
  shown.written.clear();
  tail_sink next{shown.view};
  shown.connect(0x300);
  CHECK(shown.written == "{\"kind\":\"gap\",\"after\":\"0/220\",\"resumed\":\"0/300\"}\n");

  kept_view read{as_text()};
  read.connect(0x100);
  CHECK(read.written.empty());
  read.connect(0x300);
  CHECK_THAT(read.written, Catch::Matchers::Matches(
                             R"(-- reconnected; what was committed between 0/FF \(\d{4}-.*Z\) )"
                             R"(and 0/300 \(\d{4}-.*Z\) was not seen\n)"));
}

TEST_CASE("another server than before is refused", "[sinks][unit]") {
  kept_view shown{as_text()};
  shown.connect(0x100);
  auto other = shop();
  other.slot_name = "another";
  CHECK(shown.sink.handle_session_identity(other));
  other.system_identifier = "1";
  const auto refused = shown.sink.handle_session_identity(other);
  REQUIRE_FALSE(refused);
  CHECK(to_string(refused.error()) == "session_identity_rejected differs=system_identifier");
}

TEST_CASE("a reader that has gone ends it in order", "[sinks][unit]") {
  kept_view shown{as_text()};
  shown.error = EPIPE;
  shown.give(one_row(0x100));
  CHECK(shown.overs == 1);
  shown.give(one_row(0x200));
  CHECK(shown.overs == 1);
}

TEST_CASE("a text that cannot be written fails the sink with the errno", "[sinks][unit]") {
  kept_view shown{as_text()};
  shown.error = ENOSPC;
  REQUIRE(shown.sink.handle_transaction(one_row(0x100)));
  const auto done = shown.sink.make_durable();
  REQUIRE_FALSE(done);
  CHECK(done.error().why == reason::sink_failed);
  CHECK(done.error().facts[0].kind == fact_kind::error_number);
  CHECK(done.error().facts[0].value == ENOSPC);
  CHECK(shown.overs == 0);
}

TEST_CASE("a large transaction is written in pieces", "[sinks][unit]") {
  kept_view shown{as_text()};
  transaction_builder large{lsn{0x100}};
  for (int i = 0; i < 100; ++i)
    large.insert(orders, {text("1"), text(std::string(2000, 'x')), null_cell});
  REQUIRE(shown.sink.handle_transaction(large.build()));
  CHECK(shown.written.size() > 100'000);
}

TEST_CASE("a broken row fails with its position", "[sinks][unit]") {
  for (const bool json : {true, false}) {
    kept_view shown{json ? std::make_unique<json_format>() : as_text()};
    const auto done =
      shown.sink.handle_transaction(transaction_builder{lsn{0x100}}.insert(orders, {}).build());
    REQUIRE_FALSE(done);
    CHECK(done.error().why == reason::decode_failure);
    CHECK(done.error().at == lsn{0x100});
  }
}

TEST_CASE("the key of a table that sends whole rows is asked for once", "[sinks][unit]") {
  auto table = orders;
  table.identity = replica_identity::full;
  for (auto& one : table.columns)
    one.key = true;
  int questions = 0;
  kept_view shown{as_text([&](std::uint32_t oid) {
    CHECK(oid == table.oid);
    ++questions;
    return std::vector<std::string>{"note"};
  })};
  for (const auto commit : {0x100U, 0x200U})
    shown.give(transaction_builder{lsn{commit}}
                 .remove(table, old_image::full, {text("1"), text("k"), null_cell})
                 .build());
  CHECK_THAT(shown.written, Contains("DELETE public.orders  [note=k]  id=1  blob=NULL\n"));
  CHECK(questions == 1);
  table.columns.pop_back();
  shown.give(
    transaction_builder{lsn{0x300}}.remove(table, old_image::full, {text("1"), text("k")}).build());
  CHECK(questions == 2);
}

TEST_CASE("a key that nobody could tell is asked for again in the next transaction",
          "[sinks][unit]") {
  auto table = orders;
  table.identity = replica_identity::full;
  int questions = 0;
  kept_view shown{as_text([&](std::uint32_t /*oid*/) {
    return ++questions == 1 ? std::nullopt : std::optional{std::vector<std::string>{"id"}};
  })};
  const auto give = [&](std::uint64_t commit) {
    shown.written.clear();
    transaction_builder twice{lsn{commit}};
    for (int i = 0; i < 2; ++i)
      twice.remove(table, old_image::full, {text("1"), text("k"), null_cell});
    shown.give(twice.build());
  };
  give(0x100);
  CHECK(questions == 1);
  CHECK_THAT(shown.written, Contains("DELETE public.orders  id=1  note=k"));
  give(0x200);
  CHECK(questions == 2);
  CHECK_THAT(shown.written, Contains("DELETE public.orders  [id=1]  note=k"));
  give(0x300);
  CHECK(questions == 2);
}
