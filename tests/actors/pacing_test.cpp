// SPDX-License-Identifier: MIT
#include "replicant/core/delivery/chunk.hpp"
#include "replicant/tests/actors/pipeline_run.hpp"
#include "replicant/tests/support/wire_bytes.hpp"

#include <catch2/catch.hpp>

using namespace replicant;
using namespace replicant::test;
using namespace std::chrono_literals;

namespace {

constexpr std::uint64_t bound = std::uint64_t{64} * 1024;

std::vector<std::uint64_t> send_many(scripted_server& server, std::size_t count) {
  std::vector<std::uint64_t> commits;
  for (std::size_t i = 1; i <= count; ++i) {
    commits.push_back(1000 * i);
    server.send_transaction(commits.back(), 2, 500);
  }
  return commits;
}

} // namespace

TEST_CASE("a slow sink stops the reading at the bound and not the status updates",
          "[actors][unit]") {
  pipeline_run run;
  run.settings.max_inflight_lag = bound;
  run.server.change_facts([](source_facts& facts) { facts.wal_sender_timeout = 300ms; });
  run.ledger->plan.hold(sink_call::transaction);
  const auto commits = send_many(run.server, 2000);
  REQUIRE(run.streams());
  REQUIRE(wait_until([&] { return run.status().paced; }));
  const auto paced = run.status();
  CHECK(paced.in_flight_bytes >= bound);
  CHECK(paced.in_flight_bytes < bound + chunk::target_bytes + 2048);
  const auto updates = run.server.statuses().size();
  REQUIRE(wait_until([&] { return run.server.statuses().size() >= updates + 4; }));
  CHECK(run.server.bytes_read() < bound + chunk::target_bytes);
  CHECK(run.server.confirmed() == lsn{100});
  run.ledger->plan.release(sink_call::transaction);
  REQUIRE(run.confirms(commits.back() + 1));
  CHECK(run.ledger->commits() == commits);
  CHECK(wait_until([&] { return !run.status().paced && run.status().in_flight_bytes == 0; }));
  CHECK_FALSE(run.watcher->all(event_kind::paced).empty());
  CHECK_FALSE(run.watcher->all(event_kind::resumed).empty());
  CHECK(run.status().reconnects == 0);
}

TEST_CASE("an open transaction larger than the bound is read to its end", "[actors][unit]") {
  pipeline_run run;
  run.settings.max_inflight_lag = bound;
  REQUIRE(run.streams());
  run.server.send_transaction(200, 4000, 500);
  REQUIRE(run.takes({200}));
  CHECK(run.ledger->transactions().front().events == 4000);
  CHECK(run.confirms(201));
  CHECK(wait_until([&] { return run.status().in_flight_bytes == 0; }));
}

TEST_CASE("a large open transaction behind a blocked sink is spilled, and read to its end",
          "[actors][unit]") {
  pipeline_run run;
  run.settings.max_inflight_lag = bound;
  run.ledger->plan.hold(sink_call::transaction);
  REQUIRE(run.streams());
  run.server.send_transaction(200);
  REQUIRE(wait_until([&] { return run.ledger->plan.waits_in(sink_call::transaction); }));
  run.server.send_transaction(300, 4000, 500);
  REQUIRE(wait_until([&] { return run.server.frames_unread() == 0; }));
  CHECK(wait_until([&] { return run.status().spills == 1; }));
  CHECK(run.ledger->transactions().empty());
  run.ledger->plan.release(sink_call::transaction);
  CHECK(run.takes({200, 300}));
  CHECK(run.confirms(301));
}

TEST_CASE("one row larger than the bound passes alone", "[actors][unit]") {
  pipeline_run run;
  run.settings.max_inflight_lag = bound;
  REQUIRE(run.streams());
  run.server.send_transaction(200, 1, 10 * bound);
  run.server.send_transaction(300);
  CHECK(run.takes({200, 300}));
}

TEST_CASE("a lost connection is noticed while reading rests", "[actors][unit]") {
  pipeline_run run;
  run.settings.max_inflight_lag = bound;
  run.ledger->plan.hold(sink_call::transaction);
  send_many(run.server, 2000);
  REQUIRE(run.streams());
  REQUIRE(wait_until([&] { return run.status().paced; }));
  run.server.break_off({.why = reason::connection_lost});
  CHECK(wait_until([&] { return run.server.open_connections() == 0; }));
}
