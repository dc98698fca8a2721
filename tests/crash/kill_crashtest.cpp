// SPDX-License-Identifier: MIT
#include "replicant/core/telemetry/failpoint.hpp"
#include "replicant/tests/crash/scene.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <catch2/catch.hpp>

#include <csignal>
#include <iostream>
#include <map>
#include <random>

using namespace replicant;
using namespace replicant::test;
using std::chrono::milliseconds;

namespace {

/// Kills that prove something: the file has grown since the last, and it held what the slot had not
/// confirmed.
class kill_ledger {
public:
  explicit kill_ledger(const scene& where) : where_{where} {}

  /// To be called after each kill.
  void judge(const std::string& how) {
    // What is confirmed can change until the server has missed the program.
    REQUIRE(wait_until([&] { return slot(where_.server, "active_pid").empty(); }));
    const auto reached = last_position(where_.replicant.file());
    const auto counts = reached > last_ && reached > confirmed(where_.server);
    last_ = std::max(last_, reached);
    ++all_[how];
    counted_ += counts ? 1 : 0;
  }

  [[nodiscard]] std::uint64_t counted() const { return counted_; }

  [[nodiscard]] std::uint64_t of(const std::string& how) const {
    const auto found = all_.find(how);
    return found == all_.end() ? 0 : found->second;
  }

  void print() const {
    std::cout << counted_ << " kills counted; all kills:";
    for (const auto& [how, number] : all_)
      std::cout << ' ' << how << ' ' << number;
    std::cout << '\n';
  }

private:
  const scene& where_;
  std::map<std::string, std::uint64_t> all_;
  std::uint64_t counted_ = 0;
  std::uint64_t last_ = 0;
};

/// Starts the program so that it kills itself there.
void kill_at(scene& where, kill_ledger& ledger, failpoint point, std::uint64_t pass) {
  const std::string name{to_string(point)};
  where.replicant.start_failing(name + "=kill@" + std::to_string(pass));
  const auto end = where.replicant.wait(std::chrono::seconds{60});
  INFO(name << " " << where.replicant.output());
  REQUIRE(end == ending{.signal = SIGKILL});
  ledger.judge(name);
}

/// Kills from outside, at any moment of a life that lasts this long.
void kill_after(scene& where, kill_ledger& ledger, milliseconds life) {
  where.replicant.start();
  std::this_thread::sleep_for(life);
  INFO(where.replicant.output());
  REQUIRE(where.replicant.running());
  where.replicant.kill();
  ledger.judge(life < milliseconds{100} ? "while starting" : "while running");
}

/// Lets the first start die on both sides of the creation of the slot. @returns where the slot
/// begins, as the server says before anything was streamed.
std::string first_light(scene& where) {
  where.replicant.start_failing("before_slot_creation=kill");
  REQUIRE(where.replicant.wait() == ending{.signal = SIGKILL});
  CHECK(slot(where.server, "slot_name").empty());
  where.replicant.start_failing("after_slot_creation=kill");
  REQUIRE(where.replicant.wait() == ending{.signal = SIGKILL});
  return slot(where.server, "confirmed_flush_lsn");
}

const std::vector while_streaming{failpoint::inside_transaction, failpoint::before_write,
                                  failpoint::before_fsync,       failpoint::after_fsync,
                                  failpoint::before_acknowledge, failpoint::after_acknowledge};

/// `late`: where the program kills itself, apart from its start.
void survive_kills(const program_options& how,
                   const std::vector<failpoint>& late = while_streaming) {
  const auto wanted = number_from_environment("REPLICANT_KILLS", 8);
  const auto seed = number_from_environment("REPLICANT_SEED", std::random_device{}());
  INFO("REPLICANT_SEED=" << seed);
  std::mt19937 chance{static_cast<std::uint32_t>(seed)};
  scene where{how};
  shop_load load{where.server};
  const auto origin = first_light(where);
  kill_ledger ledger{where};

  const std::vector early{failpoint::before_stream, failpoint::before_recovery_cut};
  const auto most = 10 * (wanted + late.size());
  for (std::uint64_t turn = 0; ledger.counted() < wanted || turn < 3 * late.size(); ++turn) {
    REQUIRE(turn < most);
    switch (turn % 3) {
      case 0: kill_at(where, ledger, late[turn / 3 % late.size()], 1 + chance() % 12); break;
      case 1: kill_after(where, ledger, milliseconds{200 + chance() % 600}); break;
      default:
        if (chance() % 2 == 0)
          kill_at(where, ledger, early[chance() % early.size()], 1);
        else
          kill_after(where, ledger, milliseconds{chance() % 100});
    }
  }
  ledger.print();
  // Not all of the load may be left behind: the last life reads on while it is written.
  where.run();
  load.stop();
  where.finish(origin);
}

} // namespace

TEST_CASE("nothing is lost or doubled by SIGKILLs, syncing every commit", "[crash][kill]") {
  survive_kills({});
}

TEST_CASE("nothing is lost or doubled by SIGKILLs, syncing now and then", "[crash][kill]") {
  survive_kills({.fsync = "interval", .rest = {"fsync_interval_ms = 50"}});
}

TEST_CASE("nothing is lost or doubled by SIGKILLs, closing files all the while", "[crash][kill]") {
  auto late = while_streaming;
  late.insert(late.end(), {failpoint::before_next_file, failpoint::before_archive,
                           failpoint::before_replacement, failpoint::after_replacement});
  survive_kills({.rest = {"rotate = { bytes = \"8KiB\" }"}}, late);
}
