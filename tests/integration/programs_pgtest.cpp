// SPDX-License-Identifier: MIT
#include "replicant/actors/pipeline.hpp"
#include "replicant/actors/sinks/jsonl/jsonl_sink.hpp"
#include "replicant/tests/support/environment.hpp"
#include "replicant/tests/support/oracle.hpp"
#include "replicant/tests/support/temp_dir.hpp"
#include "replicant/tests/support/transaction_programs.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

using namespace replicant;
using namespace replicant::test;
using namespace std::chrono_literals;

namespace {

/// A pipeline that writes a file, with a slot of its own name.
class reader {
public:
  reader(const pg_cluster& server, caf::actor_system& system, const temp_dir& folder,
         const std::string& name)
    : server_{server}, system_{system}, file{folder / (name + ".jsonl")} {
    settings.name = name;
    settings.slot_name = name;
    settings.publications = {"programs"};
    settings.go_forward_only = true;
    settings.conninfo = server.conninfo();
    settings.streaming.spill->dir = folder / (name + "_spill");
  }

  void run() {
    pipeline_ = replicant::start(system_, settings, [path = file] {
      return jsonl_sink::open({.path = path, .interval = 50ms});
    });
    REQUIRE(
      wait_until([this] { return status(system_, pipeline_).phase == pipeline_phase::streaming; }));
  }

  void stop() {
    const auto last = replicant::stop(system_, std::exchange(pipeline_, {}));
    CHECK(last.phase == pipeline_phase::stopped);
    spills += last.spills;
    reconnects += last.reconnects;
    CHECK(wait_until([this] { return !server_.client().holds("SELECT active" + slot_row()); }));
  }

  [[nodiscard]] bool reaches(std::uint64_t position) const {
    return wait_until(
      [&] {
        return server_.client().position("SELECT confirmed_flush_lsn" + slot_row()) >= position;
      },
      1min);
  }

  /// Transactions that the server has streamed; one that was read again counts again.
  [[nodiscard]] std::uint64_t streamed() const {
    return std::stoull(server_.client().value(
      "SELECT stream_txns FROM pg_stat_replication_slots WHERE slot_name = '" + settings.slot_name +
      "'"));
  }

  [[nodiscard]] std::string slot_row() const {
    return " FROM pg_replication_slots WHERE slot_name = '" + settings.slot_name + "'";
  }

private:
  const pg_cluster& server_;
  caf::actor_system& system_;
  pipeline_actor pipeline_;

public:
  pipeline_settings settings; ///< For the next `run`.
  std::string file;
  std::uint64_t spills = 0; ///< Of all runs that have been stopped.
  std::uint64_t reconnects = 0;
};

/// Tells the first that differs, without a long list.
bool same_lines(const std::vector<std::string>& told, const std::vector<std::string>& right) {
  const auto [one, other] = std::ranges::mismatch(told, right);
  if (one == told.end() && other == right.end())
    return true;
  const auto text = [](auto at, auto end) { return at == end ? "nothing" : at->substr(0, 300); };
  UNSCOPED_INFO("line " << one - told.begin() << " is " << text(one, told.end())
                        << "\nand should be " << text(other, right.end()));
  return false;
}

/// One history, read in three ways.
struct three_readers {
  three_readers(std::uint32_t seed, bool messages) : programs{server, seed} {
    right.unpublished = {"public.hidden"};
    right.messages = messages;
    for (auto* const one : all)
      one->settings.messages = messages;
    spilling.settings.max_inflight_lag = std::uint64_t{128} * 1024;
    plain.settings.streaming.enabled = false;
  }

  void run() {
    for (auto* const one : all)
      one->run();
  }

  void stop() {
    for (auto* const one : all)
      one->stop();
  }

  void drain() {
    const auto end = server.client().position("SELECT pg_current_wal_lsn()");
    for (auto* const one : all) {
      INFO(one->settings.name);
      REQUIRE(one->reaches(end));
    }
  }

  void compare() const {
    const auto& all_told = programs.history();
    CHECK(difference(right.messages ? all_told : without_messages(all_told),
                     history_of(plain.file)) == "");
    right.expect_equal({plain.file});
    for (const auto* const one : {&spilling, &streaming}) {
      INFO(one->settings.name);
      CHECK(same_lines(unit_lines(one->file), unit_lines(plain.file)));
      CHECK(one->streamed() > 0);
    }
    // A message that may have been rolled back is read again, with its transaction as a whole;
    // nothing else has another way than its stream.
    CHECK((spilling.reconnects + streaming.reconnects > 0) == right.messages);
    CHECK(plain.reconnects == 0);
    CHECK(plain.streamed() == 0);
    CHECK(spilling.spills > 0);
    CHECK(streaming.spills == 0);
    CHECK(std::filesystem::is_empty(folder / "spilling_spill"));
    CHECK_FALSE(std::filesystem::exists(folder / "streaming_spill"));
  }

  pg_cluster server{{.conf = programs_conf()}};
  oracle right{server};
  transaction_programs programs;
  temp_dir folder;
  caf::actor_system_config config;
  caf::actor_system system{config};
  reader spilling{server, system, folder, "spilling"};
  reader streaming{server, system, folder, "streaming"};
  reader plain{server, system, folder, "plain"};
  std::array<reader*, 3> all{&spilling, &streaming, &plain};
};

void read_in_three_ways(std::uint32_t seed, bool messages) {
  INFO("REPLICANT_SEED=" << seed);
  const auto steps = static_cast<unsigned>(number_from_environment("REPLICANT_STEPS", 300));
  three_readers one{seed, messages};
  one.run();
  one.programs.run(steps);
  // What happens now is read when it is over, in part of transactions that have been begun.
  one.stop();
  one.programs.run(steps);
  one.run();
  one.programs.run(steps);
  one.programs.finish();
  one.drain();
  one.stop();
  one.compare();
}

/// By hand for longer, with REPLICANT_PROGRAMS=100, or for one, with REPLICANT_SEED.
void read_programs(bool messages) {
  const auto first = number_from_environment("REPLICANT_SEED", 5);
  const auto last = first + number_from_environment("REPLICANT_PROGRAMS", 3);
  for (auto seed = first; seed < last; ++seed)
    read_in_three_ways(static_cast<std::uint32_t>(seed), messages);
}

} // namespace

TEST_CASE("programs of transactions come out the same, streamed, spilled or whole",
          "[integration][postgres][streams]") {
  read_programs(false);
}

TEST_CASE(
  "programs with messages come out the same, also where a stream cannot tell whose they are",
  "[integration][postgres][streams]") {
  read_programs(true);
}
