// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/checkpoint_view.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace replicant;
using namespace replicant::cli;
using Catch::Matchers::Contains;

namespace {

slot_view ready() {
  return {.pipeline = "shop",
          .slot_name = "shop_slot",
          .told = postgres::slot_report{.database = "db",
                                        .wal_position = lsn{5000},
                                        .slot = slot_facts{.logical = true,
                                                           .plugin = "pgoutput",
                                                           .database = "db",
                                                           .restart = lsn{1000},
                                                           .confirmed = lsn{2000},
                                                           .wal_status = "reserved"}}};
}

slot_facts& facts(slot_view& of) {
  return *of.told->slot;
}

nlohmann::json first(const std::string& document, const char* list) {
  return nlohmann::json::parse(document).at(list).at(0);
}

checkpoint_view holding(std::uint64_t durable) {
  return {.slot = ready(),
          .sink = inspected_file{.durable = watermark::through(lsn{durable}), .length = 77}};
}

} // namespace

TEST_CASE("slots are judged by the worst that is known", "[cli][unit]") {
  auto missing = ready();
  missing.told->slot.reset();
  auto lost = ready();
  facts(lost).wal_status = "lost";
  auto used = ready();
  facts(used).active_pid = 7;
  auto away = ready();
  away.told = failure(reason::server_unavailable);
  CHECK(judge_slots({}) == exit_code::fine);
  CHECK(judge_slots({ready(), used}) == exit_code::fine);
  CHECK(judge_slots({ready(), missing}) == exit_code::needs_person);
  CHECK(judge_slots({lost}) == exit_code::needs_person);
  CHECK(judge_slots({lost, away}) == exit_code::unavailable);
}

TEST_CASE("a slot's row says what is known and why it cannot be used", "[cli][unit]") {
  auto lost = ready();
  facts(lost).wal_status = "lost";
  facts(lost).restart.reset();
  const auto table = slot_table({ready(), lost});
  CHECK_THAT(table, Contains("shop      shop_slot  ready      -    pgoutput  db        0/3E8"));
  CHECK_THAT(table, Contains("3.9 KiB"));
  CHECK_THAT(table, Contains("\nshop: slot_lost\n  "));
  CHECK_FALSE(retained_bytes(lost));
  const auto one = first(slot_document({ready()}), "slots");
  CHECK(one.at("retained_bytes") == 4000);
  CHECK(one.at("confirmed_flush_lsn") == "0/7D0");
  CHECK(one.at("reason").is_null());
}

TEST_CASE("a server's words cannot steer the terminal", "[cli][unit]") {
  auto odd = ready();
  facts(odd).wal_status = "a\x1b[2Jb";
  CHECK_THAT(slot_table({odd}), Contains("a?[2Jb"));
}

TEST_CASE("a checkpoint tells the distances to slot and server", "[cli][unit]") {
  const auto one = first(checkpoint_document({holding(2999)}), "checkpoints");
  CHECK(one.at("durable") == "0/BB7");
  CHECK(one.at("ahead_of_slot_bytes") == 1000);
  CHECK(one.at("behind_server_bytes") == 2000);
  CHECK(one.at("file_bytes") == 77);
  CHECK(one.at("reason").is_null());
}

TEST_CASE("a slot ahead of the sink is a gap, one at its position is none", "[cli][unit]") {
  CHECK(first(checkpoint_document({holding(1999)}), "checkpoints").at("reason").is_null());
  CHECK(first(checkpoint_document({holding(1998)}), "checkpoints").at("reason") == "slot_advanced");
}

TEST_CASE("a sink without a file is no problem, one that cannot be read is", "[cli][unit]") {
  const auto with_error = [](int number) {
    return checkpoint_view{
      .slot = ready(),
      .sink = failure(
        fault{.why = reason::sink_unreadable,
              .facts = {fact{fact_kind::error_number, static_cast<std::uint64_t>(number)}}})};
  };
  CHECK_FALSE(why_unreadable(with_error(ENOENT)));
  CHECK(why_unreadable(with_error(EACCES)));
  CHECK_THAT(checkpoint_table({with_error(ENOENT)}), Contains("no file yet"));
  CHECK_THAT(checkpoint_table({with_error(EACCES)}), Contains("(Permission denied)"));
  const checkpoint_view none{.slot = ready(), .sink = std::nullopt};
  CHECK_THAT(checkpoint_table({none}), Contains("keeps no position"));
}
