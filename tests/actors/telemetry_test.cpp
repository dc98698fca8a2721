// SPDX-License-Identifier: MIT
#include "replicant/tests/actors/pipeline_run.hpp"

#include <catch2/catch.hpp>

using namespace replicant;
using namespace replicant::test;
using namespace std::chrono_literals;

namespace {

using kinds = std::vector<event_kind>;

/// The entries of `landmarks`.
std::vector<recording_observer::entry> landmarks_of(const pipeline_run& run) {
  const auto which = run.watcher->landmarks();
  auto told = run.watcher->entries();
  std::erase_if(told, [&which](const auto& one) {
    return std::ranges::find(which, one.what.kind) == which.end();
  });
  return told;
}

} // namespace

TEST_CASE("an observer is told the life of a pipeline in order", "[actors][unit]") {
  pipeline_run run;
  run.settings.go_forward_only = true;
  run.server.change_facts([](source_facts& facts) { facts.slot.reset(); });
  REQUIRE(run.streams());
  run.server.send_transaction(600);
  REQUIRE(run.confirms(601));
  run.server.break_off({.why = reason::connection_lost});
  REQUIRE(wait_until([&] { return run.server.streams().size() == 2; }));
  REQUIRE(run.reaches(pipeline_phase::streaming));
  run.stop();
  CHECK(run.watcher->landmarks() ==
        kinds{event_kind::connecting, event_kind::connected, event_kind::slot_created,
              event_kind::streaming, event_kind::disconnected, event_kind::generation_lost,
              event_kind::connecting, event_kind::connected, event_kind::streaming,
              event_kind::disconnected, event_kind::stopped});
  const auto told = landmarks_of(run);
  CHECK(std::ranges::all_of(told, [](const auto& one) { return one.pipeline == "shop"; }));
  CHECK(told[0].what.count == 1);
  CHECK(told[1].what.count == 150004);
  CHECK(told[2].what.position == lsn{500});
  CHECK(told[3].what.position == lsn{500});
  CHECK(told[5].what.failure.why == reason::connection_lost);
  CHECK(told[5].what.delay == 100ms);
  CHECK(told[6].what.count == 2);
  CHECK(told[8].what.position == lsn{601});
  CHECK(told[10].what.position == lsn{601});
}

TEST_CASE("tables without identity are warned of once, by name and then by number",
          "[actors][unit]") {
  pipeline_run run;
  run.server.change_facts([](source_facts& facts) {
    facts.unidentified = {.first = {"public.a", "public.\"B\""}, .count = 5};
  });
  REQUIRE(run.streams());
  const auto warned = [&run] {
    std::vector<std::string> tables;
    for (const auto& one : run.watcher->entries())
      if (one.what.kind == event_kind::identity_missing)
        tables.push_back(one.table + "+" + std::to_string(one.what.count));
    return tables;
  };
  const std::vector<std::string> expected{"public.a+0", "public.\"B\"+0", "+3"};
  CHECK(warned() == expected);
  run.server.break_off({.why = reason::connection_lost});
  REQUIRE(wait_until([&] { return run.server.streams().size() == 2; }));
  CHECK(warned() == expected);
}

TEST_CASE("what a start cut off is told before it streams", "[actors][unit]") {
  pipeline_run run;
  auto held = run.ledger->held();
  held.torn_bytes = 7;
  run.ledger->hold(held);
  REQUIRE(run.streams());
  CHECK(run.watcher->landmarks() == kinds{event_kind::connecting, event_kind::connected,
                                          event_kind::tail_cut, event_kind::streaming});
  CHECK(run.watcher->all(event_kind::tail_cut).front().count == 7);
}

TEST_CASE("a start that is refused cuts nothing", "[actors][unit]") {
  pipeline_run run;
  run.ledger->hold({.memory = sink_memory::empty, .torn_bytes = 7});
  run.start();
  REQUIRE(run.reaches(pipeline_phase::halted));
  CHECK(run.watcher->all(event_kind::tail_cut).empty());
}

TEST_CASE("an observer is told a halt with its reason", "[actors][unit]") {
  pipeline_run run;
  run.server.change_facts([](source_facts& facts) { facts.publications_exist = false; });
  run.start();
  REQUIRE(run.reaches(pipeline_phase::halted));
  CHECK(run.watcher->landmarks() == kinds{event_kind::connecting, event_kind::connected,
                                          event_kind::disconnected, event_kind::halted});
  CHECK(run.watcher->all(event_kind::halted).front().failure.why == reason::publication_missing);
}

TEST_CASE("the status counts what is durable, over reconnects", "[actors][unit]") {
  pipeline_run run;
  REQUIRE(run.streams());
  run.server.send_transaction(200, 3);
  run.server.send_transaction(300, 2);
  REQUIRE(run.confirms(301));
  run.server.break_off({.why = reason::connection_lost});
  REQUIRE(wait_until([&] { return run.server.streams().size() == 2; }));
  run.server.send_transaction(400);
  run.server.send_keepalive(900, false);
  REQUIRE(run.confirms(900));
  REQUIRE(wait_until([&] { return run.status().acknowledged == lsn{900}; }));
  const auto now = run.status();
  CHECK(now.name == "shop");
  CHECK(now.slot_name == "shop_slot");
  CHECK(now.phase == pipeline_phase::streaming);
  CHECK(now.phase_since.microseconds > 0);
  CHECK(now.durable == watermark::before(lsn{900}));
  CHECK(now.received_end == lsn{900});
  CHECK(now.lag_bytes == 0);
  CHECK(now.in_flight_bytes == 0);
  CHECK_FALSE(now.paced);
  CHECK(now.last_commit_time == timestamp{400});
  CHECK(now.transactions == 3);
  CHECK(now.changes == 6);
  CHECK(now.bytes > 0);
  CHECK(now.messages == 0);
  CHECK(now.reconnects == 1);
  CHECK(now.server_version == 150004);
}

TEST_CASE("the status tells how far the sink lags behind the server", "[actors][unit]") {
  pipeline_run run;
  run.ledger->plan.hold(sink_call::transaction);
  REQUIRE(run.streams());
  run.server.send_transaction(200);
  REQUIRE(wait_until([&] { return run.ledger->plan.waits_in(sink_call::transaction); }));
  run.server.send_keepalive(900, false);
  REQUIRE(wait_until([&] { return run.status().received_end == lsn{900}; }));
  const auto now = run.status();
  CHECK(now.acknowledged == lsn{100});
  CHECK(now.lag_bytes == 800);
  CHECK(now.in_flight_bytes > 0);
  CHECK(now.transactions == 0);
}

TEST_CASE("pipelines of one actor system do not mix", "[actors][unit]") {
  pipeline_run shop{"shop"};
  pipeline_run bank{"bank", shop.home()};
  pipeline_run mill{"mill", shop.home()};
  bank.ledger->plan.fail(sink_call::transaction, reason::sink_failed);
  for (auto* run : {&shop, &bank, &mill})
    REQUIRE(run->streams());
  shop.server.send_transaction(200);
  bank.server.send_transaction(300);
  mill.server.send_transaction(400);
  CHECK(shop.confirms(201));
  CHECK(bank.halts().why == reason::sink_failed);
  CHECK(mill.confirms(401));
  CHECK(shop.stop().phase == pipeline_phase::stopped);
  mill.server.send_transaction(500);
  CHECK(mill.takes({400, 500}));
  CHECK(shop.ledger->commits() == std::vector<std::uint64_t>{200});
  CHECK(bank.ledger->commits().empty());
  CHECK(std::ranges::all_of(mill.watcher->entries(),
                            [](const auto& one) { return one.pipeline == "mill"; }));
  CHECK(mill.status().slot_name == "mill_slot");
}
