// SPDX-License-Identifier: MIT
#include "replicant/tests/crash/ledger_scene.hpp"
#include "replicant/tests/support/environment.hpp"
#include "replicant/tests/support/test_files.hpp"
#include "replicant/tests/support/transaction_programs.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <random>
#include <string>
#include <thread>
#include <vector>

using namespace replicant;
using namespace replicant::test;
using namespace std::chrono_literals;

namespace {

/// Little memory, so that nearly everything which is streamed is spilled too.
const std::vector<std::string> spilling{"max_inflight_lag = \"128KiB\""};

/// Runs generated programs until it is told to stop.
class programs_load {
public:
  explicit programs_load(transaction_programs& programs)
    : thread_{[&programs](const std::stop_token& ending) {
        while (!ending.stop_requested()) {
          programs.run(20);
          std::this_thread::sleep_for(25ms);
        }
        programs.finish();
      }} {}

private:
  std::jthread thread_;
};

/// What another slot has there, which nobody but that slot may remove.
class foreign_spill {
public:
  explicit foreign_spill(const std::string& state)
    : folder_{std::filesystem::path{state} / "spill" / "other.4711"} {
    std::filesystem::create_directories(folder_);
    write_file(folder_ / "745.spill", "of another slot");
  }

  /// Whether it is all that is there.
  [[nodiscard]] bool alone() const {
    const std::filesystem::directory_iterator all{folder_.parent_path()};
    return std::distance(begin(all), end(all)) == 1 &&
           read_file(folder_ / "745.spill") == "of another slot";
  }

private:
  std::filesystem::path folder_;
};

std::uint64_t streamed(const pg_cluster& server) {
  return std::stoull(server.client().value(
    "SELECT stream_txns FROM pg_stat_replication_slots WHERE slot_name = 'shop'"));
}

std::uint32_t some_seed() {
  const auto seed = number_from_environment("REPLICANT_SEED", std::random_device{}());
  std::cout << "REPLICANT_SEED=" << seed << '\n';
  return static_cast<std::uint32_t>(seed);
}

void judge_streams(const scene& where) {
  CHECK(streamed(where.server) > 0);
  const auto status = where.replicant.status();
  REQUIRE(status.is_object());
  CHECK(status.at("streamed").get<std::uint64_t>() > 0);
  CHECK(status.at("spills").get<std::uint64_t>() > 0);
  // What the status shows is some moments old.
  for (const auto* const gone : {"open_transactions", "open_bytes", "spilled_bytes"}) {
    CAPTURE(gone);
    CHECK(wait_until([&] { return where.replicant.status().at(gone) == 0; }));
  }
}

} // namespace

TEST_CASE("streams that spill come out exactly once, whatever is killed when", "[crash][streams]") {
  scene where{{.publication = "programs", .pipeline = spilling}, programs_conf()};
  transaction_programs programs{where.server, some_seed()};
  where.right.unpublished = {"public.hidden"};
  const auto origin = first_light(where);
  const foreign_spill foreign{where.replicant.path("state")};
  kill_ledger ledger{where.server, [&] { return last_position(where.replicant.file()); }};
  {
    const programs_load load{programs};
    kill_again_and_again(where, ledger, kills_while_streaming(), {failpoint::before_stream});
    // The last life has to stream and spill too.
    CHECK(wait_until([&] { return where.replicant.status().value("spills", 0) > 0; }, 60s));
  }
  where.drain();
  judge_streams(where);
  where.finish(origin);
  CHECK(foreign.alone());
  CHECK(difference(without_messages(programs.history()), history_of(where.replicant.file())) == "");
}

TEST_CASE("streams that spill come out exactly once, in batches and with messages between",
          "[crash][streams][ledger]") {
  auto pipeline = spilling;
  pipeline.emplace_back("messages = true");
  pipeline.emplace_back("batch_delivery = { max_transactions = 7, max_delay_ms = 100 }");
  ledger_scene one{{.publication = "programs", .pipeline = pipeline, .conf = programs_conf()}};
  transaction_programs programs{one.where.server, some_seed()};
  one.where.right.unpublished = {"public.hidden"};
  const auto origin = first_light(one.where);
  auto kills = one.watch();
  {
    const programs_load load{programs};
    kill_again_and_again(one.where, kills, kills_while_streaming(), {failpoint::before_stream});
    // The stream ends from the other side too, in the middle of a segment or of a transaction.
    for (int round = 0; round < 3; ++round) {
      one.wait_for_growth();
      one.where.server.exec("SELECT pg_terminate_backend(pid) FROM pg_stat_replication");
    }
    one.wait_for_growth();
  }
  one.finish(origin);
  CHECK(streamed(one.where.server) > 0);
  CHECK(std::ranges::count_if(one.target.batches(), [](auto size) { return size > 1; }) > 3);
  CHECK(difference(programs.history(), history_of(one.where.replicant.path("ledger.jsonl"))) == "");
  CHECK(one.where.replicant.all_output().find("outgrew memory while open") != std::string::npos);
}
