// SPDX-License-Identifier: MIT
#include "replicant/tests/actors/pipeline_run.hpp"

#include <caf/send.hpp>
#include <catch2/catch.hpp>

#include <future>

using namespace replicant;
using namespace replicant::test;
using namespace std::chrono_literals;

namespace {

/// Starts `run` and gives its handle away: the test has to stop it.
pipeline_actor start_apart(pipeline_run& run) {
  return replicant::start(run.home()->system, run.settings,
                          {run.server.connections(), sinks_over<recording_sink>(run.ledger)},
                          run.watcher);
}

bool streams(const pipeline_run& run) {
  return wait_until([&] { return !run.server.streams().empty(); });
}

} // namespace

TEST_CASE("pipelines of one system stop at once, within one patience", "[actors][unit]") {
  pipeline_run shop{"shop"};
  pipeline_run bank{"bank", shop.home()};
  pipeline_run mill{"mill", shop.home()};
  bank.ledger->plan.fail(sink_call::transaction, reason::sink_failed);
  mill.ledger->plan.hold(sink_call::transaction);
  const std::vector all{start_apart(mill), start_apart(shop), start_apart(bank)};
  for (auto* run : {&shop, &bank, &mill}) {
    REQUIRE(streams(*run));
    run->server.send_transaction(200);
  }
  auto& system = shop.home()->system;
  REQUIRE(wait_until([&] { return mill.ledger->plan.waits_in(sink_call::transaction); }));
  REQUIRE(wait_until([&] { return status(system, all[2]).phase == pipeline_phase::halted; }));
  REQUIRE(shop.confirms(201));

  // The one that is blocked comes first and does not keep the others from stopping.
  const auto first = stop(system, all, 500ms);
  REQUIRE(first.size() == 3);
  CHECK(first[0].phase == pipeline_phase::stopping);
  CHECK(first[1].phase == pipeline_phase::stopped);
  CHECK(first[2].phase == pipeline_phase::halted);
  CHECK(first[1].name == "shop");
  mill.ledger->plan.release(sink_call::transaction);
  const auto last = stop(system, all, 20s);
  CHECK(last[0].phase == pipeline_phase::stopped);
  CHECK(last[0].acknowledged == lsn{201});
}

TEST_CASE("an actor system waits for a pipeline that nobody has stopped, and ends when it is told "
          "to",
          "[actors][unit]") {
  pipeline_run run;
  std::promise<pipeline_actor> started;
  // CAF demands that a system ends in the thread that has made it.
  auto ended = std::async(std::launch::async, [&] {
    actor_home home;
    started.set_value(replicant::start(
      home.system, run.settings, {run.server.connections(), sinks_over<recording_sink>(run.ledger)},
      run.watcher));
  });
  auto handle = started.get_future().get();
  REQUIRE(streams(run));
  CHECK(ended.wait_for(300ms) == std::future_status::timeout);
  // Still at work: what comes meanwhile is taken.
  run.server.send_transaction(200);
  CHECK(run.confirms(201));
  // Not `stop`, which would need the system.
  caf::anon_send(std::exchange(handle, {}), stop_pipeline{});
  CHECK(ended.wait_for(10s) == std::future_status::ready);
  CHECK(run.server.farewells() == std::vector{lsn{201}});
}

TEST_CASE("a system whose pipelines have stopped and halted ends at once", "[actors][unit]") {
  pipeline_run shop{"shop"};
  pipeline_run bank{"bank"};
  bank.ledger->plan.fail(sink_call::transaction, reason::sink_failed);
  auto home = std::make_unique<actor_home>();
  {
    std::vector<pipeline_actor> all;
    for (auto* run : {&shop, &bank}) {
      all.push_back(replicant::start(
        home->system, run->settings,
        {run->server.connections(), sinks_over<recording_sink>(run->ledger)}, run->watcher));
      REQUIRE(streams(*run));
      run->server.send_transaction(200);
    }
    REQUIRE(shop.confirms(201));
    REQUIRE(
      wait_until([&] { return status(home->system, all[1]).phase == pipeline_phase::halted; }));
    stop(home->system, all);
  }
  const auto begin = std::chrono::steady_clock::now();
  home.reset();
  CHECK(std::chrono::steady_clock::now() - begin < 5s);
  CHECK(shop.server.farewells() == std::vector{lsn{201}});
}
