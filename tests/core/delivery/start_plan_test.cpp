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
  const auto plan =
    plan_start(server(), nothing, false, permitted, {.delivered = watermark::through(lsn{500})});
  REQUIRE_FALSE(plan);
  CHECK(plan.error().why == reason::data_gap);
}

TEST_CASE("a temporary slot begins anew every time, whatever was delivered before",
          "[delivery][unit]") {
  const start_conditions watching{.slot = slot_lifetime::temporary};
  for (const auto delivered : {watermark{}, watermark::through(lsn{500})}) {
    const auto plan = plan_start(server(), nothing, true, watching, {.delivered = delivered});
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

TEST_CASE("a slot ahead of all that this run has delivered was moved by somebody else",
          "[delivery][unit]") {
  const run_memory past{.delivered = watermark::through(lsn{599})};
  for (const auto& held : {nothing, holding(500)}) {
    const auto plan = plan_start(server_with_slot(600), held, false, strict, past);
    REQUIRE(plan);
    CHECK(plan->resume == watermark::through(lsn{599}));
    const auto refused = plan_start(server_with_slot(601), held, false, strict, past);
    REQUIRE_FALSE(refused);
    CHECK(to_string(refused.error()) == "slot_advanced expected=0/258 found=0/259");
  }
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
  CHECK(with([](slot_facts& slot) { slot.two_phase = true; }) == reason::slot_two_phase);
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

TEST_CASE("why a slot was invalidated is told with the refusal", "[delivery][unit]") {
  const auto told = [](bool conflicting, const std::string& why) {
    auto slot = *server_with_slot(400).slot;
    slot.wal_status = "lost"; // As every invalid slot has it from 16 on.
    slot.conflicting = conflicting;
    slot.invalidation_reason = why;
    const auto refused = judge_slot(slot, "shop");
    REQUIRE_FALSE(refused);
    return to_string(refused.error());
  };
  CHECK(told(true, "rows_removed") == "slot_invalidated invalidation=rows_removed");
  CHECK(told(true, "wal_level_insufficient") ==
        "slot_invalidated invalidation=wal_level_insufficient");
  CHECK(told(false, "idle_timeout") == "slot_invalidated invalidation=idle_timeout");
  CHECK(told(true, "") == "slot_invalidated invalidation=conflict");
  CHECK(told(false, "new_in_19") == "slot_invalidated invalidation=unknown");
  CHECK(told(false, "wal_removed") == "slot_lost");
  CHECK(told(false, "") == "slot_lost");
}

TEST_CASE("a server of another history is told before anything about its slot",
          "[delivery][unit]") {
  auto facts = server();
  facts.identity.timeline = 2;
  const auto planned = [&facts](const sink_checkpoint& held, const start_conditions& how) {
    return plan_start(facts, held, true, how, {.timeline = {1}});
  };
  CHECK(planned(holding(500), permitted).error().why == reason::diverged);
  facts = server_with_slot(400);
  facts.identity.timeline = 2;
  CHECK(planned(holding(500), strict).error().why == reason::diverged);
  CHECK(planned(empty, strict).error().why == reason::checkpoint_missing);
  facts.history = {{1, lsn{501}}};
  const auto plan = planned(holding(500), strict);
  REQUIRE(plan);
  CHECK(plan->timeline == timeline_memory{2});
  CHECK(planned(holding(501), {.slot = slot_lifetime::temporary}));
}

TEST_CASE("a server older than 14 is refused", "[delivery][unit]") {
  CHECK(judge_version(140000));
  const auto refused = judge_version(130020);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().why == reason::server_unsupported);
}

TEST_CASE("a server has to be the one that is demanded", "[delivery][unit]") {
  const auto refused = [](const start_conditions& conditions) {
    const auto judged = judge_identity(server(), conditions);
    REQUIRE_FALSE(judged);
    return to_string(judged.error());
  };
  CHECK(judge_identity(server(), {.system_identifier = "42", .database = "shop"}));
  CHECK(refused({.system_identifier = "43"}) ==
        "session_identity_rejected differs=system_identifier");
  CHECK(refused({.database = "other"}) == "session_identity_rejected differs=database");
}

TEST_CASE("a server has to be the one that this run has delivered from", "[delivery][unit]") {
  run_memory past{.delivered = watermark::through(lsn{500}), .source = server().identity};
  CHECK(judge_identity(server(), {}, past));
  auto promoted = server();
  promoted.identity.timeline = 2;
  CHECK(judge_identity(promoted, {}, past));
  auto other = server();
  other.identity.system_identifier = "43";
  const auto refused = judge_identity(other, {}, past);
  REQUIRE_FALSE(refused);
  CHECK(to_string(refused.error()) == "session_identity_rejected differs=system_identifier");
  CHECK(judge_identity(other, {.slot = slot_lifetime::temporary}, past));
  past.delivered = {};
  CHECK(judge_identity(other, {}, past));
}

TEST_CASE("a server has to have what a stream needs", "[delivery][unit]") {
  const auto with = [](auto change) {
    auto facts = server();
    change(facts);
    const auto judged = judge_source(facts, {});
    REQUIRE_FALSE(judged);
    return to_string(judged.error());
  };
  CHECK(judge_source(server(), {}));
  CHECK(with([](source_facts& f) { f.publications_exist = false; }) == "publication_missing");
  CHECK(with([](source_facts& f) { f.wal_level = "replica"; }) == "wal_level_insufficient");
  CHECK(with([](source_facts& f) { f.wal_level.clear(); }) == "wal_level_insufficient");
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
