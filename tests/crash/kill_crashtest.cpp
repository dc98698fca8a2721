// SPDX-License-Identifier: MIT
#include "replicant/tests/crash/kills.hpp"

#include <catch2/catch.hpp>

using namespace replicant;
using namespace replicant::test;

namespace {

void survive_kills(const program_options& how,
                   const std::vector<failpoint>& late = kills_while_streaming(),
                   bool messages = false) {
  scene where{how};
  where.right.messages = messages;
  shop_load load{where.server};
  const auto origin = first_light(where);
  kill_ledger ledger{where.server, [&] { return last_position(where.replicant.file()); }};
  kill_again_and_again(where, ledger, late,
                       {failpoint::before_stream, failpoint::before_recovery_cut});
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

TEST_CASE("no message is lost or doubled by SIGKILLs, of either kind", "[crash][kill]") {
  survive_kills({.pipeline = {"messages = true"}}, kills_while_streaming(), true);
}

TEST_CASE("nothing is lost or doubled by SIGKILLs, closing files all the while", "[crash][kill]") {
  auto late = kills_while_streaming();
  late.insert(late.end(), {failpoint::before_next_file, failpoint::before_archive,
                           failpoint::before_replacement, failpoint::after_replacement});
  survive_kills({.rest = {"rotate = { bytes = \"8KiB\" }"}}, late);
}
