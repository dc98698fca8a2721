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
  CHECK_FALSE(fault_of(with_error(ENOENT)));
  CHECK(judge_checkpoints({with_error(ENOENT)}) == exit_code::fine);
  CHECK(fault_of(with_error(EACCES)));
  CHECK(judge_checkpoints({with_error(EACCES)}) == exit_code::needs_person);
  CHECK_THAT(checkpoint_table({with_error(ENOENT)}), Contains("no file yet"));
  CHECK_THAT(checkpoint_table({with_error(EACCES)}), Contains("(Permission denied)"));
  const checkpoint_view none{.slot = ready(), .sink = std::nullopt};
  CHECK_THAT(checkpoint_table({none}), Contains("keeps no position"));
}

TEST_CASE("a checkpoint is judged by what is proven", "[cli][unit]") {
  CHECK(judge_checkpoints({}) == exit_code::fine);
  CHECK(judge_checkpoints({holding(1999)}) == exit_code::fine);
  CHECK(judge_checkpoints({holding(1999), holding(1998)}) == exit_code::needs_person);
  auto used = holding(2999);
  facts(used.slot).active_pid = 7;
  CHECK(judge_checkpoints({used}) == exit_code::fine);
  auto further = holding(6000); // Than the server was when it was asked.
  CHECK(judge_checkpoints({further}) == exit_code::fine);
  auto away = holding(2999);
  away.slot.told = failure(reason::server_unavailable);
  CHECK(judge_checkpoints({away}) == exit_code::fine);
  checkpoint_view fresh{.slot = ready(), .sink = inspected_file{}};
  fresh.slot.told->slot.reset();
  CHECK(judge_checkpoints({fresh}) == exit_code::fine);
}

TEST_CASE("a position without its slot is a gap", "[cli][unit]") {
  auto alone = holding(2999);
  alone.slot.told->slot.reset();
  CHECK(judge_checkpoints({alone}) == exit_code::needs_person);
  CHECK(first(checkpoint_document({alone}), "checkpoints").at("reason") == "data_gap");
  CHECK_THAT(checkpoint_table({alone}), Contains("\nshop: data_gap"));
}

TEST_CASE("a checkpoint tells the faults of sink and slot whole", "[cli][unit]") {
  auto both = holding(2999);
  both.sink = failure(
    fault{.why = reason::sink_unreadable, .facts = {fact{fact_kind::error_number, EACCES}}});
  facts(both.slot).wal_status = "lost";
  CHECK(judge_checkpoints({both}) == exit_code::needs_person);
  const auto one = first(checkpoint_document({both}), "checkpoints");
  CHECK(one.at("reason") == "sink_unreadable");
  CHECK(one.at("system_error") == "Permission denied");
  CHECK(one.at("slot_reason") == "slot_lost");
  CHECK(one.at("slot_explanation") == explain(reason::slot_lost));
  CHECK(one.at("slot_fault") == "slot_lost");
  CHECK(one.at("slot_system_error").is_null());
  CHECK_THAT(checkpoint_table({both}),
             Contains("\nshop: sink_unreadable") && Contains("\nshop: slot_lost"));
  auto lost = holding(2999);
  facts(lost.slot).wal_status = "lost";
  CHECK(judge_checkpoints({lost}) == exit_code::needs_person);
}

TEST_CASE("a file that continues others tells where it starts", "[cli][unit]") {
  auto one = holding(2999);
  CHECK(first(checkpoint_document({one}), "checkpoints").at("file_start").is_null());
  (*one.sink)->start = watermark::through(lsn{0x7D0});
  CHECK(first(checkpoint_document({one}), "checkpoints").at("file_start") == "0/7D0");
}
