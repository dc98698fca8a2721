// SPDX-License-Identifier: MIT
#include "replicant/tests/actors/pipeline_run.hpp"

#include <catch2/catch.hpp>

using namespace replicant;
using namespace replicant::test;

namespace {

/// A pipeline on timeline 1 whose sink has everything up to 200.
struct first_timeline {
  template <class Sink = recording_sink>
  void deliver() {
    REQUIRE(run.streams<Sink>());
    run.server.send_transaction(200);
    REQUIRE(run.confirms(201));
  }

  /// The server is another one from the next connection on.
  void move_to(std::uint32_t timeline, std::vector<timeline_end> history) {
    run.server.change_facts([&](source_facts& facts) {
      facts.identity.timeline = timeline;
      facts.history = std::move(history);
    });
    run.server.break_off({.why = reason::connection_lost});
  }

  [[nodiscard]] bool streams_again(std::size_t count) const {
    return wait_until([&] { return run.server.streams().size() == count; }) &&
           run.reaches(pipeline_phase::streaming);
  }

  pipeline_run run;
};

} // namespace

TEST_CASE("a stream goes on over a promotion that has everything, and over the next one",
          "[actors][unit]") {
  first_timeline past;
  auto& run = past.run;
  past.deliver();
  past.move_to(2, {{1, lsn{201}}});
  REQUIRE(past.streams_again(2));
  run.server.send_transaction(300);
  REQUIRE(run.confirms(301));
  // What was reached on 2 is judged by where 2 ended.
  past.move_to(3, {{1, lsn{201}}, {2, lsn{301}}});
  REQUIRE(past.streams_again(3));
  CHECK(run.server.streams() == std::vector{lsn{100}, lsn{201}, lsn{301}});
}

TEST_CASE("a promotion without what the sink has halts, whatever the sink remembers itself",
          "[actors][unit]") {
  first_timeline past;
  auto& run = past.run;
  SECTION("a sink without memory") {
    past.deliver();
  }
  SECTION("a sink with a position") {
    run.ledger->hold({sink_memory::position, watermark::before(lsn{100})});
    past.deliver<with_frontier<recording_sink>>();
  }
  past.move_to(2, {{1, lsn{200}}});
  CHECK(to_string(run.halts()) == "diverged expected=0/C9 found=0/C8");
  CHECK(run.server.streams().size() == 1);
  CHECK(run.server.confirmed() == lsn{201});
}

TEST_CASE("the old server is refused once its successor has been followed", "[actors][unit]") {
  first_timeline past;
  past.deliver();
  past.move_to(2, {{1, lsn{201}}});
  REQUIRE(past.streams_again(2));
  past.move_to(1, {});
  CHECK(to_string(past.run.halts()) == "diverged expected_timeline=2 found_timeline=1");
}

TEST_CASE("a start that fails before it streams changes no memory", "[actors][unit]") {
  first_timeline past;
  auto& run = past.run;
  past.deliver();
  run.server.plan.fail(source_call::start, reason::connection_lost, 1);
  past.move_to(2, {{1, lsn{201}}});
  REQUIRE(past.streams_again(2));
  past.move_to(3, {{2, lsn{201}}});
  REQUIRE(past.streams_again(3));
}
