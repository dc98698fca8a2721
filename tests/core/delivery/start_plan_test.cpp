// SPDX-License-Identifier: MIT
#include "replicant/core/delivery/start_plan.hpp"

#include <catch2/catch.hpp>

using namespace replicant;

namespace {

source_facts server() {
  return {
    .identity = {.system_identifier = "42", .timeline = 1, .database = "shop", .slot_name = "s"},
    .wal_position = lsn{1000},
    .server_version = 150000,
    .wal_level = "logical",
    .publications_exist = true};
}

source_facts server_with_slot(std::uint64_t confirmed) {
  auto facts = server();
  facts.slot = slot_facts{.logical = true,
                          .plugin = "pgoutput",
                          .database = "shop",
                          .restart = lsn{1},
                          .confirmed = lsn{confirmed},
                          .wal_status = "reserved"};
  return facts;
}

sink_checkpoint holding(std::uint64_t position) {
  return {sink_memory::position, watermark::through(lsn{position})};
}

constexpr sink_checkpoint nothing{sink_memory::none};
constexpr sink_checkpoint empty{sink_memory::empty};
constexpr sink_checkpoint prepared{sink_memory::prepared};
const start_conditions permitted{.go_forward_only = true};
const start_conditions strict{};

reason refusal(const source_facts& facts, const sink_checkpoint& held,
               const start_conditions& conditions) {
  const auto plan = plan_start(facts, held, true, conditions);
  REQUIRE_FALSE(plan);
  return plan.error().why;
}

} // namespace

TEST_CASE("a slot is created only with permission and for a sink that holds no position",
          "[delivery][unit]") {
  for (const auto& held : {nothing, empty, prepared}) {
    const auto plan = plan_start(server(), held, true, permitted);
    REQUIRE(plan);
    CHECK(plan->how == stream_start::fresh);
    CHECK(plan->origin_to_persist);
    CHECK(refusal(server(), held, strict) == reason::go_forward_required);
  }
}

TEST_CASE("a sink with a position and no slot is a gap, whatever is permitted",
          "[delivery][unit]") {
  CHECK(refusal(server(), holding(500), permitted) == reason::data_gap);
  CHECK(refusal(server(), holding(500), strict) == reason::data_gap);
  // What earlier generations delivered to a sink without memory counts the same.
  CHECK(refusal(server(), {sink_memory::none, watermark::through(lsn{500})}, permitted) ==
        reason::data_gap);
}

TEST_CASE("a temporary slot begins anew every time, whatever was delivered before",
          "[delivery][unit]") {
  const start_conditions watching{.slot = slot_lifetime::temporary};
  for (const auto& held : {nothing, {sink_memory::none, watermark::through(lsn{500})}}) {
    const auto plan = plan_start(server(), held, true, watching);
    REQUIRE(plan);
    CHECK(plan->how == stream_start::fresh);
    CHECK(plan->origin_to_persist);
  }
}

TEST_CASE("a slot that the sink has never heard of is refused", "[delivery][unit]") {
  CHECK(refusal(server_with_slot(500), empty, permitted) == reason::checkpoint_missing);
}

TEST_CASE("a known slot resumes behind what is durable", "[delivery][unit]") {
  const auto plan = plan_start(server_with_slot(400), holding(500), true, strict);
  REQUIRE(plan);
  CHECK(plan->how == stream_start::resumed);
  CHECK(plan->resume == watermark::through(lsn{500}));
  CHECK_FALSE(plan->origin_to_persist);
}

TEST_CASE("a slot exactly at the acknowledged position is not ahead, one byte further is",
          "[delivery][unit]") {
  CHECK(plan_start(server_with_slot(501), holding(500), true, strict));
  const auto refused = plan_start(server_with_slot(502), holding(500), true, strict);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().why == reason::slot_advanced);
  CHECK(refused.error().facts[0].value == 501);
  CHECK(refused.error().facts[1].value == 502);
}

TEST_CASE("a sink that does not persist idle positions follows the slot", "[delivery][unit]") {
  const auto plan = plan_start(server_with_slot(600), holding(500), false, strict);
  REQUIRE(plan);
  CHECK(plan->resume == watermark::before(lsn{600}));
  const auto forgetful = plan_start(server_with_slot(600), nothing, false, strict);
  REQUIRE(forgetful);
  CHECK(forgetful->resume == watermark::before(lsn{600}));
}

TEST_CASE("a header without a position resumes from the slot and writes the position down",
          "[delivery][unit]") {
  const auto plan = plan_start(server_with_slot(600), prepared, true, strict);
  REQUIRE(plan);
  CHECK(plan->resume == watermark::before(lsn{600}));
  CHECK(plan->origin_to_persist);
}

TEST_CASE("a server that ends before the sink's position is an older copy", "[delivery][unit]") {
  auto facts = server_with_slot(400);
  facts.wal_position = lsn{501};
  CHECK(plan_start(facts, holding(500), true, strict));
  facts.wal_position = lsn{500};
  CHECK(refusal(facts, holding(500), strict) == reason::server_behind);
}

TEST_CASE("every defect of a slot has its own reason", "[delivery][unit]") {
  const auto with = [](auto change) {
    auto facts = server_with_slot(400);
    change(*facts.slot);
    return refusal(facts, holding(500), strict);
  };
  CHECK(with([](slot_facts& slot) { slot.logical = false; }) == reason::slot_not_logical);
  CHECK(with([](slot_facts& slot) { slot.plugin = "test_decoding"; }) == reason::slot_wrong_plugin);
  CHECK(with([](slot_facts& slot) { slot.database = "other"; }) == reason::slot_wrong_database);
  CHECK(with([](slot_facts& slot) { slot.active_pid = 7; }) == reason::slot_active);
  CHECK(with([](slot_facts& slot) { slot.wal_status = "lost"; }) == reason::slot_lost);
  CHECK(with([](slot_facts& slot) { slot.invalidation_reason = "wal_removed"; }) ==
        reason::slot_lost);
  CHECK(with([](slot_facts& slot) { slot.invalidation_reason = "new_in_19"; }) ==
        reason::slot_invalidated);
  CHECK(with([](slot_facts& slot) { slot.conflicting = true; }) == reason::slot_invalidated);
  CHECK(with([](slot_facts& slot) { slot.confirmed.reset(); }) == reason::slot_invalidated);
  CHECK(with([](slot_facts& slot) { slot.unpromoted = true; }) == reason::slot_synced_unpromoted);
  // The standby's own worker holds its copies for moments: no reason to wait for anybody.
  CHECK(with([](slot_facts& slot) {
          slot.unpromoted = true;
          slot.active_pid = 7;
        }) == reason::slot_synced_unpromoted);
}

TEST_CASE("a server older than 14 is refused", "[delivery][unit]") {
  CHECK(judge_version(140000));
  const auto refused = judge_version(130020);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().why == reason::server_unsupported);
}

TEST_CASE("the server is judged before the sink is asked", "[delivery][unit]") {
  const auto with = [](auto change, const start_conditions& conditions) {
    auto facts = server();
    change(facts);
    const auto judged = judge_source(facts, conditions);
    REQUIRE_FALSE(judged);
    return to_string(judged.error());
  };
  CHECK(judge_source(server(), {.system_identifier = "42", .database = "shop"}));
  const auto same = [](source_facts&) {};
  CHECK(with(same, {.system_identifier = "43"}) ==
        "session_identity_rejected differs=system_identifier");
  CHECK(with(same, {.database = "other"}) == "session_identity_rejected differs=database");
  CHECK(with([](source_facts& f) { f.publications_exist = false; }, {}) == "publication_missing");
  CHECK(with([](source_facts& f) { f.wal_level = "replica"; }, {}) == "wal_level_insufficient");
  CHECK(with([](source_facts& f) { f.wal_level.clear(); }, {}) == "wal_level_insufficient");
}

TEST_CASE("a slot for failovers needs a server that knows them", "[delivery][unit]") {
  const start_conditions lasting{.go_forward_only = true, .slot = slot_lifetime::failover};
  auto facts = server();
  facts.server_version = 169999;
  const auto refused = judge_source(facts, lasting);
  REQUIRE_FALSE(refused);
  CHECK(to_string(refused.error()) == "failover_unsupported server_version_num=169999");
  CHECK(judge_source(facts, permitted));
  facts.server_version = 170000;
  REQUIRE(judge_source(facts, lasting));
  const auto plan = plan_start(facts, empty, true, lasting);
  REQUIRE(plan);
  CHECK(plan->how == stream_start::fresh);
}

TEST_CASE("from 19 on only a minimal wal_level is too little", "[delivery][unit]") {
  auto facts = server();
  facts.server_version = 190000;
  facts.wal_level = "replica";
  CHECK(judge_source(facts, {}));
  facts.wal_level = "minimal";
  CHECK_FALSE(judge_source(facts, {}));
}

TEST_CASE("who holds the slot is told with the refusal", "[delivery][unit]") {
  auto facts = server_with_slot(100);
  facts.slot->active_pid = 7;
  facts.slot->holder = slot_holder::pg_recvlogical;
  const auto plan = plan_start(facts, nothing, true, permitted);
  REQUIRE_FALSE(plan);
  CHECK(to_string(plan.error()) == "slot_active pid=7 holder=pg_recvlogical");
}
