// SPDX-License-Identifier: MIT
#include "replicant/tests/crash/ledger_scene.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <iostream>

using namespace replicant;
using namespace replicant::test;
using namespace std::chrono_literals;

namespace {

using lines = std::vector<std::string>;

const lines in_batches{"messages = true",
                       "batch_delivery = { max_transactions = 7, max_delay_ms = 100 }"};

void survive_kills(ledger_scene& one) {
  shop_load load{one.where.server};
  const auto origin = first_light(one.where);
  auto kills = one.watch();
  kill_again_and_again(one.where, kills, kills_while_streaming(), {failpoint::before_stream});
  load.stop();
  one.kill_idle();
  one.finish(origin);
}

/// For a target that learns its position behind the rows. `most`: transactions that are applied in
/// one step.
void survive_kills_with_repeats(ledger_scene& one, std::uint64_t most) {
  shop_load load{one.where.server};
  const auto origin = first_light(one.where);
  auto kills = one.watch();
  kill_again_and_again(one.where, kills, kills_while_streaming(), {failpoint::before_stream});
  load.stop();
  one.compare(origin);
  const auto repeated = one.target.repeated_transactions();
  std::cout << repeated << " repeated over " << kills.all() << " kills\n";
  CHECK(repeated > 0);
  CHECK(repeated <= most * kills.all());
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
  ledger_scene one{{}};
  survive_kills(one);
}

TEST_CASE("a ledger has every effect of batches once, whatever is killed when", "[crash][ledger]") {
  ledger_scene one{{.pipeline = in_batches}};
  survive_kills(one);
  // Or there would have been no batch to kill.
  CHECK(std::ranges::count_if(one.target.batches(), [](auto size) { return size > 1; }) > 10);
}

TEST_CASE("a ledger whose position follows its rows repeats a transaction for each kill at most",
          "[crash][ledger]") {
  ledger_scene one{{.position = "behind_rows"}};
  survive_kills_with_repeats(one, 1);
}

TEST_CASE("a ledger whose position follows its rows repeats a batch for each kill at most",
          "[crash][ledger]") {
  ledger_scene one{{.pipeline = in_batches, .position = "behind_rows"}};
  survive_kills_with_repeats(one, 7);
}

TEST_CASE("a ledger beside a checkpoint store repeats a transaction for each kill at most",
          "[crash][ledger]") {
  ledger_scene one{{.position = "nowhere", .store = ""}};
  survive_kills_with_repeats(one, 1);
}

TEST_CASE("a ledger beside a checkpoint store repeats a batch of it for each kill at most",
          "[crash][ledger]") {
  ledger_scene one{
    {.position = "nowhere", .store = ", batch = { max_transactions = 7, max_delay_ms = 100 }"}};
  survive_kills_with_repeats(one, 7);
}

TEST_CASE("a ledger has every effect once, whatever ends its stream", "[crash][ledger]") {
  ledger_scene one{{}};
  survive_interruptions(one);
}

TEST_CASE("a ledger has every effect of batches once, whatever ends its stream",
          "[crash][ledger]") {
  ledger_scene one{{.pipeline = in_batches}};
  survive_interruptions(one);
}

TEST_CASE("what waits for a held up target costs no memory beyond the bound", "[crash][memory]") {
#ifdef __SANITIZE_ADDRESS__
  WARN("SKIPPED: the address sanitizer keeps freed memory");
  return;
#endif
  auto pipeline = GENERATE(lines{}, in_batches);
  pipeline.emplace_back("max_inflight_lag = \"1MiB\"");
  ledger_scene one{{.pipeline = pipeline}};
  const auto& server = one.where.server;
  const auto write = [&](int times) {
    auto session = server.client();
    for (int i = 0; i < times; ++i)
      session.exec("INSERT INTO events SELECT g, repeat('x', 500) FROM generate_series(1, 1000) g");
  };
  one.where.run();
  write(10);
  one.where.drain();
  const auto early = peak_memory(one.where.replicant.id());
  {
    auto holder = one.target.client();
    holder.exec("BEGIN; LOCK TABLE ledger IN ACCESS EXCLUSIVE MODE");
    write(60);
    // It goes on answering, and the server still has most of it.
    const auto seen = server.client().value("SELECT reply_time FROM pg_stat_replication");
    REQUIRE(wait_until([&] {
      return server.client().holds("SELECT reply_time > '" + seen +
                                   "'::timestamptz + interval '1 s' AND sent_lsn < "
                                   "pg_current_wal_lsn() - 20000000 FROM pg_stat_replication");
    }));
    const auto late = peak_memory(one.where.replicant.id());
    std::cout << "peak memory before: " << early << " KiB, held up: " << late << " KiB\n";
    CHECK(late <= early + 4096);
  }
  one.finish();
}
