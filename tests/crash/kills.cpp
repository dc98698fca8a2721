// SPDX-License-Identifier: MIT
#include "replicant/tests/crash/kills.hpp"

#include "replicant/tests/support/environment.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <catch2/catch.hpp>

#include <csignal>
#include <iostream>
#include <random>

namespace replicant::test {

using std::chrono::milliseconds;

void kill_ledger::judge(const std::string& how) {
  // What is confirmed can change until the server has missed the program.
  REQUIRE(wait_until([&] { return slot(server_, "active_pid").empty(); }));
  const auto reached = reached_();
  const auto counts = reached > last_ && reached > confirmed(server_);
  last_ = std::max(last_, reached);
  ++by_place_[how];
  counted_ += counts ? 1 : 0;
}

std::uint64_t kill_ledger::all() const {
  std::uint64_t sum = 0;
  for (const auto& [how, number] : by_place_)
    sum += number;
  return sum;
}

void kill_ledger::print() const {
  std::cout << counted_ << " kills counted; all kills:";
  for (const auto& [how, number] : by_place_)
    std::cout << ' ' << how << ' ' << number;
  std::cout << '\n';
}

std::vector<failpoint> kills_while_streaming() {
  return {failpoint::inside_transaction, failpoint::before_write,
          failpoint::before_fsync,       failpoint::after_fsync,
          failpoint::before_acknowledge, failpoint::after_acknowledge};
}

namespace {

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

} // namespace

std::string first_light(scene& where) {
  where.replicant.start_failing("before_slot_creation=kill");
  REQUIRE(where.replicant.wait() == ending{.signal = SIGKILL});
  CHECK(slot(where.server, "slot_name").empty());
  where.replicant.start_failing("after_slot_creation=kill");
  REQUIRE(where.replicant.wait() == ending{.signal = SIGKILL});
  return slot(where.server, "confirmed_flush_lsn");
}

void kill_again_and_again(scene& where, kill_ledger& ledger, const std::vector<failpoint>& late,
                          const std::vector<failpoint>& early) {
  const auto wanted = number_from_environment("REPLICANT_KILLS", 8);
  const auto seed = number_from_environment("REPLICANT_SEED", std::random_device{}());
  INFO("REPLICANT_SEED=" << seed);
  std::mt19937 chance{static_cast<std::uint32_t>(seed)};
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
}

} // namespace replicant::test
