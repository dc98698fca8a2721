// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/halt_record.hpp"
#include "replicant/actors/cli/status_document.hpp"
#include "replicant/actors/cli/status_summary.hpp"
#include "replicant/actors/cli/status_table.hpp"
#include "replicant/tests/support/temp_dir.hpp"
#include "replicant/tests/support/test_files.hpp"

#include <nlohmann/json.hpp>

using namespace replicant;
using namespace replicant::cli;
using namespace replicant::test;
using Catch::Matchers::Contains;

namespace {

pipeline_status streaming() {
  pipeline_status one;
  one.name = "shop";
  one.slot_name = "shop_slot";
  one.phase = pipeline_phase::streaming;
  one.phase_since = timestamp{1'000'000};
  one.durable = watermark::through(lsn{0x16E3778});
  one.acknowledged = lsn{0x16E3779};
  one.received_end = lsn{0x16E4000};
  one.lag_bytes = 2183;
  one.in_flight_bytes = 3'000'000'000'000;
  one.paced = true;
  one.last_commit_time = timestamp{2'000'000};
  one.transactions = 18'446'744'073'709'551'615ULL;
  one.changes = 7;
  one.bytes = 8;
  one.reconnects = 9;
  one.messages = 10;
  one.open_transactions = 11;
  one.open_bytes = 12;
  one.spilled_bytes = 13;
  one.streamed = 14;
  one.rolled_back = 15;
  one.spills = 16;
  one.spill_written = 17;
  one.server_version = 150018;
  one.slot = slot_standing{
    .wal_status = slot_wal_status::extended, .retained_bytes = 60, .limit_bytes = 100};
  one.slot_asked_at = timestamp{3'000'000};
  return one;
}

pipeline_status halted() {
  pipeline_status one;
  one.name = "other";
  one.phase = pipeline_phase::halted;
  one.last_fault = fault{.why = reason::sink_failed,
                         .code = sqlstate{"53100"},
                         .facts = {{{fact_kind::error_number, ENOSPC}, {}}}};
  return one;
}

} // namespace

TEST_CASE("a halt at a change of a table is read back from its document", "[cli][unit]") {
  auto one = streaming();
  one.phase = pipeline_phase::halted;
  one.last_fault = fault{.why = reason::schema_change_destructive,
                         .at = lsn{77},
                         .relation = 5,
                         .facts = {{{fact_kind::schema_change, 3}, {fact_kind::fingerprint, 9}}}};
  const auto told = schema_halt_in(status_document({one}));
  REQUIRE(told);
  CHECK(told->name == "shop");
  CHECK(told->slot_name == "shop_slot");
  CHECK(told->phase == pipeline_phase::halted);
  CHECK(told->phase_since == one.phase_since);
  CHECK(told->durable == one.durable);
  CHECK(to_string(*told->last_fault) == to_string(*one.last_fault));
  // What it then tells is the same again.
  CHECK(to_string(*schema_halt_in(status_document({*told}))->last_fault) ==
        to_string(*one.last_fault));

  CHECK_FALSE(schema_halt_in(status_document({halted()})));
  CHECK_FALSE(schema_halt_in(status_document({})));
  CHECK_FALSE(schema_halt_in("nonsense"));
  one.phase = pipeline_phase::waiting;
  CHECK_FALSE(schema_halt_in(status_document({one})));
  const auto document = status_document({*told});
  for (const auto* part : {"\"fingerprint\":\"", "\"kind\":\"", "\"relation\":"}) {
    auto damaged = document;
    damaged.insert(damaged.find(part) + std::string_view{part}.size(), "x");
    CHECK_FALSE(schema_halt_in(damaged));
  }
}

TEST_CASE("a status document tells everything that is known", "[cli][unit]") {
  const auto one = nlohmann::json::parse(status_document({streaming()})).at("pipelines").at(0);
  CHECK(one.at("name") == "shop");
  CHECK(one.at("slot_name") == "shop_slot");
  CHECK(one.at("state") == "streaming");
  CHECK(one.at("since") == "2000-01-01T00:00:01.000000Z");
  CHECK(one.at("reason").is_null());
  CHECK(one.at("durable") == "0/16E3778");
  CHECK(one.at("acknowledged") == "0/16E3779");
  CHECK(one.at("received_end") == "0/16E4000");
  CHECK(one.at("lag_bytes") == 2183);
  CHECK(one.at("in_flight_bytes") == 3'000'000'000'000);
  CHECK(one.at("paced") == true);
  CHECK(one.at("last_commit_time") == "2000-01-01T00:00:02.000000Z");
  CHECK(one.at("transactions") == 18'446'744'073'709'551'615ULL);
  CHECK(one.at("changes") == 7);
  CHECK(one.at("bytes") == 8);
  CHECK(one.at("reconnects") == 9);
  CHECK(one.at("server_version") == "15.18");
  CHECK(one.at("messages") == 10);
  CHECK(one.at("open_transactions") == 11);
  CHECK(one.at("open_bytes") == 12);
  CHECK(one.at("spilled_bytes") == 13);
  CHECK(one.at("streamed") == 14);
  CHECK(one.at("rolled_back") == 15);
  CHECK(one.at("spills") == 16);
  CHECK(one.at("spill_written_bytes") == 17);
  CHECK(one.at("slot").at("wal_status") == "extended");
  CHECK(one.at("slot").at("retained_bytes") == 60);
  CHECK(one.at("slot").at("limit_bytes") == 100);
  CHECK(one.at("slot").at("safe_wal_size").is_null());
  CHECK(one.at("slot_asked_at") == "2000-01-01T00:00:03.000000Z");
  CHECK(one.at("slot_warning").is_null());
}

TEST_CASE("a slot at risk is told below the table, with its cure", "[cli][unit]") {
  auto one = streaming();
  CHECK_THAT(status_table(status_document({one})), !Contains("the slot holds back"));
  one.slot->retained_bytes = 70;
  CHECK_THAT(status_table(status_document({one})),
             Contains("\nshop: the slot holds back 70 B of WAL") &&
               Contains("`ALTER SYSTEM SET max_slot_wal_keep_size"));
}

TEST_CASE("a fault is told with its meaning and its cure", "[cli][unit]") {
  const auto one = nlohmann::json::parse(status_document({halted()})).at("pipelines").at(0);
  CHECK(one.at("state") == "halted");
  CHECK(one.at("reason") == "sink_failed");
  CHECK(one.at("explanation") == explain(*halted().last_fault));
  CHECK(one.at("sqlstate") == "53100");
  CHECK(one.at("system_error") == "No space left on device");
  CHECK(one.at("last_commit_time").is_null());
  CHECK(one.at("slot").is_null());
  CHECK(one.at("slot_asked_at").is_null());
  CHECK(one.at("server_version").is_null());
}

TEST_CASE("a document is judged by its worst pipeline", "[cli][unit]") {
  CHECK(judge(status_document({})) == verdict::fine);
  CHECK(judge(status_document({streaming()})) == verdict::fine);
  CHECK(judge(status_document({streaming(), halted()})) == verdict::halted);
  for (const auto* text : {"", "x", "{", "[]", "{}", "{\"pipelines\":1}", "{\"pipelines\":[1]}"}) {
    CHECK(judge(text) == verdict::unreadable);
    CHECK(status_table(text).empty());
  }
}

TEST_CASE("the table aligns what it shows and explains what failed", "[cli][unit]") {
  const auto table = status_table(status_document({streaming(), halted()}));
  CHECK_THAT(table, Contains("PIPELINE  STATE "));
  CHECK_THAT(table, Contains("shop      streaming (paced)"));
  CHECK_THAT(table, Contains("2.7 TiB"));
  CHECK_THAT(table, Contains("other     halted "));
  CHECK_THAT(table, Contains("\nother: sink_failed sqlstate=53100"));
  CHECK_THAT(table, Contains("(No space left on device)\n  " + explain(*halted().last_fault)));
}

TEST_CASE("what is open has a column while there is any", "[cli][unit]") {
  auto one = streaming();
  one.spilled_bytes = std::uint64_t{3} << 30U;
  const auto open = status_table(status_document({one, halted()}));
  CHECK_THAT(open, Contains("IN FLIGHT  OPEN                 TRANSACTIONS"));
  CHECK_THAT(open, Contains("2.7 TiB    11, 3.0 GiB on disk  18446744073709551615"));
  CHECK_THAT(open, Contains("0 B        0                    0"));
  one.spilled_bytes = 0;
  CHECK_THAT(status_table(status_document({one})), Contains("2.7 TiB    11    1844"));
  one.open_transactions = 0;
  CHECK_THAT(status_table(status_document({one})), !Contains("OPEN"));
  // What a program of an earlier version tells.
  CHECK_THAT(status_table("{\"pipelines\":[{\"name\":\"a\"}]}"), !Contains("OPEN"));
}

TEST_CASE("a failure that is over is told as the last one", "[cli][unit]") {
  auto one = streaming();
  one.last_fault = fault{.why = reason::connection_lost};
  CHECK_THAT(status_table(status_document({one})), Contains("shop: last failure: connection_lost"));
}

TEST_CASE("a document cannot steer the terminal", "[cli][unit]") {
  const auto table =
    status_table("{\"pipelines\":[{\"name\":\"a\\u001b[2Jb\",\"lag_bytes\":\"x\",\"state\":[1]}]}");
  CHECK_THAT(table, Contains("a?[2Jb"));
}

TEST_CASE("a document tells whose it is", "[cli][unit]") {
  CHECK(pipeline_names(status_document({streaming(), halted()})) ==
        std::vector<std::string>{"shop", "other"});
  for (const auto* text : {"x", "{}", R"({"pipelines":[]})", R"({"pipelines":[{"name":1},{}]})"})
    CHECK(pipeline_names(text).empty());
}

TEST_CASE("documents are joined, and what is none is left out", "[cli][unit]") {
  const auto joined =
    join_documents({status_document({streaming()}), "nonsense", status_document({halted()})});
  CHECK(nlohmann::json::parse(joined).at("pipelines").size() == 2);
  CHECK(judge(joined) == verdict::halted);
}

TEST_CASE("a halt is kept until it is forgotten", "[cli][unit]") {
  const temp_dir folder;
  const halt_record record{folder / ""};
  CHECK(record.kept({"other"}).empty());
  REQUIRE(record.keep(halted()));
  REQUIRE(record.kept({"shop", "other"}).size() == 1);
  CHECK(judge(record.kept({"other"}).at(0)) == verdict::halted);
  record.forget("other");
  CHECK(record.kept({"other"}).empty());
  CHECK_FALSE(halt_record{folder / "missing"}.keep(halted()));
}

TEST_CASE("a record that is no halt is told from none, and from a halt of another kind",
          "[cli][unit]") {
  const temp_dir folder;
  const halt_record record{folder / ""};
  CHECK(record.schema_halt("other").value() == std::nullopt);
  REQUIRE(record.keep(halted()));
  CHECK(record.schema_halt("other").value() == std::nullopt);
  CHECK_FALSE(std::filesystem::exists(record.file_of("other") + ".new"));
  const auto whole = read_file(record.file_of("other"));
  for (const auto& text : {std::string{}, std::string{"\0\0\0\0", 4}, whole.substr(0, 100),
                           status_document({}), status_document({streaming()})}) {
    write_file(record.file_of("other"), text);
    CHECK(record.schema_halt("other").error() == EBADMSG);
  }
  record.forget("other");
  std::filesystem::create_directory(record.file_of("other"));
  CHECK_FALSE(record.schema_halt("other"));
}

TEST_CASE("a summary counts the states", "[cli][unit]") {
  CHECK(status_summary({}) == "0 pipelines");
  CHECK(status_summary({halted()}) == "1 pipeline: 1 halted");
  CHECK(status_summary({streaming(), halted(), streaming()}) ==
        "3 pipelines: 2 streaming, 1 halted");
}
