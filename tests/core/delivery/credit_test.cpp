// SPDX-License-Identifier: MIT
#include "replicant/core/delivery/credit.hpp"

#include <catch2/catch.hpp>

using namespace replicant;

TEST_CASE("reading rests at the bound and goes on when bytes became durable", "[delivery][unit]") {
  credit account{100};
  account.charge(60);
  CHECK(account.may_read());
  account.charge(60);
  CHECK_FALSE(account.may_read());
  account.release(60);
  CHECK(account.may_read());
}

TEST_CASE("an open transaction above the bound never stops reading", "[delivery][unit]") {
  credit account{100};
  account.charge(300);
  CHECK_FALSE(account.may_read()); // The assembler has not looked at it yet.
  account.hold(300);
  CHECK(account.may_read());
}

TEST_CASE("an open transaction does not excuse bytes that the sink can make durable",
          "[delivery][unit]") {
  credit account{100};
  account.charge(120);
  account.hold(20);
  CHECK_FALSE(account.may_read());
  account.release(100);
  CHECK(account.may_read());
}

TEST_CASE("a sink has caught up below half of the bound, or with nothing left to do",
          "[delivery][unit]") {
  credit account{100};
  account.charge(120);
  account.release(70);
  CHECK_FALSE(account.recovered());
  account.release(1);
  CHECK(account.recovered());
  account.charge(300);
  CHECK_FALSE(account.recovered());
  account.hold(349);
  CHECK(account.recovered());
}

TEST_CASE("what is open is no work of the sink", "[delivery][unit]") {
  credit account{100};
  account.charge(120);
  account.hold(50);
  account.release(44);
  CHECK_FALSE(account.recovered()); // 26 of the 50 that are not open.
  account.release(2);
  CHECK(account.recovered());
}
