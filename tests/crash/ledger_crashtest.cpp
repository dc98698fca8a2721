// SPDX-License-Identifier: MIT
#include "replicant/tests/crash/kills.hpp"
#include "replicant/tests/support/ledger_database.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <catch2/catch.hpp>

using namespace replicant;
using namespace replicant::test;
using namespace std::chrono_literals;

namespace {

using lines = std::vector<std::string>;

const lines in_batches{"messages = true",
                       "batch_delivery = { max_transactions = 7, max_delay_ms = 100 }"};

/// A host's program that writes into a ledger, which is on a server of its own.
class ledger_scene {
public:
  explicit ledger_scene(const lines& pipeline)
    : target{storage_},
      where{{.host = REPLICANT_LEDGER_HOST,
             .variables = {"LEDGER_TARGET=" + target.conninfo()},
             .pipeline = pipeline}} {
    where.right.messages = true;
  }

  [[nodiscard]] kill_ledger watch() const {
    return {where.server, [this] { return target.position(); }};
  }

  /// Waits until something new has been applied.
  void wait_for_growth() const {
    const auto before = target.effects();
    INFO(where.replicant.output());
    REQUIRE(wait_until([&] { return target.effects() > before; }, 60s));
  }

  /// Kills it while it has nothing to do. What it finds then makes no difference.
  void kill_idle() {
    where.drain();
    const auto before = target.effects();
    where.replicant.kill();
    where.run();
    where.drain();
    CHECK(target.effects() == before);
  }

  /// Counts: each effect of what the server has committed is there once, and nothing else.
  void finish(const std::string& origin = "0/0") {
    where.drain();
    REQUIRE(where.replicant.stop() == ending{.exit_code = 0});
    CHECK(target.doubled() == 0);
    const auto file = where.replicant.path("ledger.jsonl");
    target.dump(file);
    where.right.expect_equal({file}, origin);
  }

private:
  pg_cluster storage_;

public:
  ledger_database target;
  scene where;
};

void survive_kills(ledger_scene& one) {
  shop_load load{one.where.server};
  const auto origin = first_light(one.where);
  auto kills = one.watch();
  kill_again_and_again(one.where, kills, kills_while_streaming(), {failpoint::before_stream});
  load.stop();
  one.kill_idle();
  one.finish(origin);
}

/// Ends the stream again and again, from the other side.
void survive_interruptions(ledger_scene& one) {
  one.where.run();
  shop_load load{one.where.server};
  for (int round = 0; round < 6; ++round) {
    one.wait_for_growth();
    if (round % 3 == 2)
      one.where.server.restart(round == 2 ? stop_mode::fast : stop_mode::immediate);
    else
      one.where.server.exec("SELECT pg_terminate_backend(pid) FROM pg_stat_replication");
  }
  one.wait_for_growth();
  load.stop();
  one.finish();
}

} // namespace

TEST_CASE("a ledger has every effect once, whatever is killed when", "[crash][ledger]") {
  ledger_scene one{{"messages = true"}};
  survive_kills(one);
}

TEST_CASE("a ledger has every effect of batches once, whatever is killed when", "[crash][ledger]") {
  ledger_scene one{in_batches};
  survive_kills(one);
  // Or there would have been no batch to kill.
  CHECK(std::ranges::count_if(one.target.batches(), [](auto size) { return size > 1; }) > 10);
}

TEST_CASE("a ledger has every effect once, whatever ends its stream", "[crash][ledger]") {
  ledger_scene one{{"messages = true"}};
  survive_interruptions(one);
}

TEST_CASE("a ledger has every effect of batches once, whatever ends its stream",
          "[crash][ledger]") {
  ledger_scene one{in_batches};
  survive_interruptions(one);
}
