// SPDX-License-Identifier: MIT
#include "replicant/core/delivery/chunk.hpp"
#include "replicant/tests/integration/source_pipeline.hpp"
#include "replicant/tests/support/ledger_database.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <catch2/catch.hpp>

using namespace replicant;
using namespace replicant::test;
using namespace std::chrono_literals;

// A sink that is slow because its target makes it wait, on a real server: the bound, both policies,
// single transactions and batches.

namespace {

constexpr std::uint64_t bound = std::uint64_t{1} << 20U;
constexpr int transactions = 30;
constexpr int rows = 400;

struct slow_run {
  slow_run(bool batches, slow_sink_policy policy) {
    source.settings.max_inflight_lag = bound;
    source.settings.on_slow_sink = policy;
    if (batches)
      source.settings.batch_delivery = {.max_transactions = 10, .max_delay = 50ms};
    source.run(target.sinks());
  }

  /// Far more than the bound and what sockets hold.
  void write() const {
    auto session = source.sql();
    for (int i = 0; i < transactions; ++i)
      session.exec("insert into t select g, repeat('x', 1000) from generate_series(" +
                   std::to_string(i * rows + 1) + ", " + std::to_string((i + 1) * rows) + ") g");
  }

  /// A session that keeps the sink from writing until it is gone.
  [[nodiscard]] sql_client hold_up() const {
    auto session = target.client();
    session.exec("begin; lock table ledger in access exclusive mode");
    return session;
  }

  [[nodiscard]] bool has_all() const {
    return wait_until([&] { return target.effects() == std::uint64_t{transactions} * rows; }, 60s);
  }

  pg_cluster server{{.conf = {"wal_sender_timeout = 1s"}}};
  pg_cluster storage;
  source_pipeline source{server, "source"};
  ledger_database target{storage};
};

/// When the walsender last heard of us, in its own time.
std::string last_reply(const slow_run& one) {
  return one.server.client().value("select reply_time from pg_stat_replication");
}

} // namespace

TEST_CASE("a target that holds its sink up costs memory up to the bound and not the connection",
          "[integration][postgres]") {
  const auto batches = GENERATE(false, true);
  INFO((batches ? "batches" : "single transactions"));
  slow_run one{batches, slow_sink_policy::pace};
  const auto sender = one.source.slot("active_pid");
  {
    const auto holder = one.hold_up();
    one.write();
    REQUIRE(wait_until([&] { return one.source.now().paced; }));
    const auto began = last_reply(one);
    // Longer than the server would wait for a sign of life.
    REQUIRE(wait_until([&] {
      return one.server.client().holds("select reply_time > '" + began +
                                       "'::timestamptz + interval '3 s' from pg_stat_replication");
    }));
    const auto now = one.source.now();
    CHECK(now.paced);
    CHECK(now.in_flight_bytes >= bound);
    CHECK(now.in_flight_bytes < bound + 2 * chunk::target_bytes);
    CHECK(one.source.confirmed() <= one.target.position() + 1);
    CHECK(one.server.client().holds(
      "select sent_lsn < pg_current_wal_lsn() - 1000000 from pg_stat_replication"));
  }
  REQUIRE(one.has_all());
  CHECK(one.source.took(transactions));
  CHECK(one.source.now().reconnects == 0);
  CHECK(one.source.slot("active_pid") == sender);
  CHECK(one.target.doubled() == 0);
  CHECK(wait_until([&] { return one.source.now().in_flight_bytes == 0; }));
}

TEST_CASE("a target that holds its sink up halts where that is asked for, and nothing is lost",
          "[integration][postgres]") {
  const auto batches = GENERATE(false, true);
  INFO((batches ? "batches" : "single transactions"));
  slow_run one{batches, slow_sink_policy::halt};
  const auto before = one.source.confirmed();
  {
    const auto holder = one.hold_up();
    one.write();
    // Told at once, though the call of the sink is still awaited.
    REQUIRE(wait_until([&] { return one.source.now().last_fault.has_value(); }));
    CHECK(one.source.now().last_fault->why == reason::sink_too_slow);
    CHECK(one.source.confirmed() <= one.target.position() + 1);
    CHECK(one.source.confirmed() >= before);
  }
  CHECK(one.source.halts().why == reason::sink_too_slow);
  CHECK(one.source.now().reconnects == 0);
  one.source.stop();
  CHECK(one.source.slot("wal_status") != "lost");
  one.source.settings.on_slow_sink = slow_sink_policy::pace;
  one.source.run(one.target.sinks());
  CHECK(one.has_all());
  CHECK(one.target.doubled() == 0);
}
