// SPDX-License-Identifier: MIT
#include "replicant/core/delivery/restart_policy.hpp"

#include <catch2/catch.hpp>

using namespace replicant;
using namespace std::chrono_literals;

namespace {

const moment start{1h};

fault because(reason why) {
  return fault{.why = why};
}

} // namespace

TEST_CASE("a lost server is tried again for ever, paced up to 30 s", "[delivery][unit]") {
  restart_policy policy{5};
  auto before = 0ms;
  auto now = start;
  for (auto attempt = 0; attempt < 200; ++attempt) {
    const auto delay = policy.on_failure(because(reason::server_unavailable), now);
    REQUIRE(delay);
    CHECK(*delay >= before);
    CHECK(*delay <= 30s);
    before = *delay;
    now += *delay;
  }
  CHECK(before == 30s);
  policy.on_progress();
  CHECK(policy.on_failure(because(reason::connection_lost), now) == restart_policy::first_delay);
}

TEST_CASE("what can be read only at its commit is asked for at its commit", "[delivery][unit]") {
  restart_policy policy{5};
  CHECK(policy.may_stream());
  static_cast<void>(policy.on_failure(because(reason::connection_lost), start));
  static_cast<void>(
    policy.on_failure({.why = reason::command_failed, .code = sqlstate{"57014"}}, start));
  CHECK(policy.may_stream());
  const auto why = GENERATE(fault{.why = reason::command_failed, .code = sqlstate{"XX000"}},
                            fault{.why = reason::rollback_undecided});
  CHECK(policy.on_failure(why, start));
  CHECK_FALSE(policy.may_stream());
  static_cast<void>(policy.on_failure(because(reason::connection_lost), start));
  CHECK_FALSE(policy.may_stream());
  policy.on_progress();
  CHECK(policy.may_stream());
}

TEST_CASE("what only a person can cure halts at once", "[delivery][unit]") {
  for (auto number = std::uint8_t{1}; number <= reason_count; ++number) {
    const auto why = static_cast<reason>(number);
    restart_policy policy{5};
    CHECK(policy.on_failure(because(why), start).has_value() ==
          (disposition_of(why) != disposition::halt));
  }
}

TEST_CASE("a slot held by another session is waited for twice the server's time-out",
          "[delivery][unit]") {
  restart_policy policy{5};
  policy.on_connected(5s);
  CHECK(policy.on_failure(because(reason::slot_active), start));
  CHECK(policy.on_failure(because(reason::slot_active), start + 10s));
  CHECK_FALSE(policy.on_failure(because(reason::slot_active), start + 10s + 1ms));
}

TEST_CASE("waiting for a held slot begins anew after another failure", "[delivery][unit]") {
  restart_policy policy{5};
  policy.on_connected(5s);
  CHECK(policy.on_failure(because(reason::slot_active), start));
  CHECK(policy.on_failure(because(reason::connection_lost), start + 9s));
  CHECK(policy.on_failure(because(reason::slot_active), start + 11s));
}

TEST_CASE("a refused command is tried again as often as configured", "[delivery][unit]") {
  restart_policy policy{2};
  CHECK(policy.on_failure(because(reason::command_failed), start));
  CHECK(policy.on_failure(because(reason::command_failed), start + 1s));
  CHECK_FALSE(policy.on_failure(because(reason::command_failed), start + 2s));
}

TEST_CASE("progress forgives refused commands, and a budget of zero halts at the first",
          "[delivery][unit]") {
  restart_policy policy{1};
  for (auto round = 0; round < 10; ++round) {
    CHECK(policy.on_failure(because(reason::command_failed), start));
    policy.on_progress();
  }
  CHECK_FALSE(restart_policy{0}.on_failure(because(reason::command_failed), start));
}

TEST_CASE("three crashes in five seconds are tolerated, the fourth halts", "[delivery][unit]") {
  restart_policy policy{5};
  for (auto crash = 0; crash < 3; ++crash)
    CHECK(policy.on_failure(because(reason::crashed), start + crash * 1s));
  CHECK_FALSE(policy.on_failure(because(reason::crashed), start + 4s));

  restart_policy rare{5};
  for (auto crash = 0; crash < 20; ++crash)
    CHECK(rare.on_failure(because(reason::crashed), start + crash * 2s));
}

TEST_CASE("silence that keeps ending connections is given more time", "[delivery][unit]") {
  restart_policy policy{5};
  CHECK(policy.patience() == 1);
  const fault silent{.why = reason::connection_lost, .facts = {fact{fact_kind::silence, 10'000}}};
  CHECK(policy.on_failure(silent, start));
  CHECK(policy.patience() == 2);
  // Our own old session still holds the slot: that is no sign of a better server.
  CHECK(policy.on_failure(because(reason::slot_active), start));
  CHECK(policy.on_failure(silent, start));
  CHECK(policy.patience() == 4);
  CHECK(policy.on_failure(because(reason::connection_lost), start));
  CHECK(policy.patience() == 1);
}

TEST_CASE("crashes are counted against the clock, however long the server was away before",
          "[delivery][unit]") {
  restart_policy policy{5};
  auto now = start;
  for (auto attempt = 0; attempt < 20; ++attempt)
    now += policy.on_failure(because(reason::server_unavailable), now).value();
  auto crashes = 0;
  while (const auto delay = policy.on_failure(because(reason::crashed), now)) {
    now += *delay;
    REQUIRE(++crashes < 10);
  }
  CHECK(crashes == 3);
}
