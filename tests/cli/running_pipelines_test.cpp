// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/run_metrics.hpp"
#include "replicant/actors/cli/running_pipelines.hpp"
#include "replicant/actors/cli/system_config.hpp"
#include "replicant/actors/metrics_observer.hpp"
#include "replicant/tests/support/http_client.hpp"

#include <caf/actor_system.hpp>
#include <caf/event_based_actor.hpp>
#include <catch2/catch.hpp>

#include <future>
#include <memory>
#include <utility>

using namespace replicant;
using namespace replicant::cli;
using namespace replicant::test;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;

namespace {

/// Longer than anything here may take.
constexpr auto long_enough = 20s;

/// One pipeline, whose server is not there, on a scheduler of one thread.
settings lonely_pipeline() {
  settings loaded;
  loaded.runtime.threads = 1;
  loaded.runtime.metrics = listen_address{.host = "127.0.0.1", .port = 0};
  auto& one = loaded.pipelines.emplace_back();
  one.name = "shop";
  one.slot_name = "shop";
  one.publications = {"shop"};
  one.conninfo = "host=127.0.0.1 port=1 connect_timeout=2";
  return loaded;
}

/// Keeps the only thread of a scheduler until it is let go.
class held_scheduler {
public:
  explicit held_scheduler(caf::actor_system& system) {
    std::promise<void> begun;
    auto running = begun.get_future();
    system.spawn([begun = std::make_shared<std::promise<void>>(std::move(begun)),
                  end = end_.get_future().share()](caf::event_based_actor*) {
      begun->set_value();
      end.wait();
    });
    running.wait();
  }

  held_scheduler(const held_scheduler&) = delete;
  held_scheduler& operator=(const held_scheduler&) = delete;

  ~held_scheduler() { let_go(); }

  void let_go() {
    if (!std::exchange(gone_, true))
      end_.set_value();
  }

private:
  std::promise<void> end_;
  bool gone_ = false;
};

/// A run's pipelines; they are stopped at the end.
struct run_of_one {
  settings loaded = lonely_pipeline();
  system_config config{loaded.runtime};
  caf::actor_system system{config};
  running_pipelines pipelines{system};
  std::shared_ptr<metrics_observer> metrics = std::make_shared<metrics_observer>();

  run_of_one() { pipelines.start(loaded.pipelines.front(), metrics); }

  run_of_one(const run_of_one&) = delete;
  run_of_one& operator=(const run_of_one&) = delete;

  ~run_of_one() { pipelines.stop(long_enough); }
};

} // namespace

TEST_CASE("who waits for a scheduler that hangs makes nobody else wait", "[cli][unit]") {
  run_of_one run;
  REQUIRE(run.pipelines.answer(long_enough));
  held_scheduler held{run.system};
  auto all = std::async(std::launch::async, [&] { return run.pipelines.statuses(); });
  auto others = std::async(std::launch::async, [&] {
    // More than once: the other thread asks at some time during that.
    for (auto i = 0; i < 5; ++i)
      if (run.pipelines.answer(100ms) || !run.pipelines.statuses_within(100ms).empty())
        return false;
    return !run.pipelines.owner_of_standard_output();
  });
  CHECK(others.wait_for(long_enough) == std::future_status::ready);
  CHECK(all.wait_for(0s) == std::future_status::timeout);
  held.let_go();
  CHECK(others.get());
  const auto told = all.get();
  REQUIRE(told.size() == 1);
  CHECK(told.front().name == "shop");
}

TEST_CASE("HTTP tells of a scheduler that hangs, and ends", "[cli][unit]") {
  run_of_one run;
  auto opened = open_endpoint(run.loaded, run.pipelines, *run.metrics);
  REQUIRE((opened && *opened));
  auto endpoint = std::move(*opened);
  const auto port = endpoint->port();
  CHECK_THAT(http_get(port, "/metrics").body, Contains("replicant_paced{pipeline=\"shop\"}"));
  held_scheduler held{run.system};
  const auto metrics = http_get(port, "/metrics");
  CHECK(metrics.status == 200);
  CHECK_THAT(metrics.body, Contains("# TYPE replicant_paced gauge"));
  CHECK_THAT(metrics.body, !Contains("replicant_paced{"));
  CHECK(http_get(port, "/livez").status == 503);
  const auto ready = http_get(port, "/readyz");
  CHECK(ready.status == 503);
  CHECK(ready.body == "shop: not started, or it does not answer\n");
  auto closing = std::async(std::launch::async, [&] { endpoint.reset(); });
  CHECK(closing.wait_for(long_enough) == std::future_status::ready);
  held.let_go();
  closing.get();
}

TEST_CASE("a pipeline that stays halted is told without being asked", "[cli][unit]") {
  run_of_one run;
  run.pipelines.leave_halted({.name = "bank", .phase = pipeline_phase::halted});
  held_scheduler held{run.system};
  const auto told = run.pipelines.statuses_within(100ms);
  REQUIRE(told.size() == 1);
  CHECK(told.front().name == "bank");
}
