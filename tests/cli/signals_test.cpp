// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/signals.hpp"
#include "replicant/tests/cli/forked_child.hpp"

#include <catch2/catch.hpp>
#include <unistd.h>

#include <csignal>

using namespace replicant::cli;
using namespace replicant::test;

TEST_CASE("the first signal asks, the second leaves at once", "[cli][unit]") {
  for (const int number : {SIGTERM, SIGINT}) {
    const forked_child hanging{[](int out) {
      const stop_signals signals{[out] { tell(out, 's'); }};
      tell(out, 'r');
      for (;;)
        pause();
      return 0;
    }};
    CHECK(hanging.hear() == 'r');
    kill(hanging.id, number);
    CHECK(hanging.hear() == 's');
    kill(hanging.id, number);
    CHECK(hanging.wait() == 143);
  }
}

TEST_CASE("the second signal leaves even while the first is being handled", "[cli][unit]") {
  const forked_child hanging{[](int out) {
    const stop_signals signals{[out] { tell(out, 's'); }};
    tell(out, 'r');
    for (;;)
      pause();
    return 0;
  }};
  CHECK(hanging.hear() == 'r');
  kill(hanging.id, SIGTERM);
  kill(hanging.id, SIGINT);
  CHECK(hanging.wait() == 143);
}

TEST_CASE("an end that takes too long is not waited for", "[cli][unit]") {
  const forked_child hanging{[](int out) {
    const stop_signals signals{[out] { tell(out, 's'); }, std::chrono::milliseconds{50}};
    tell(out, 'r');
    for (;;)
      pause();
    return 0;
  }};
  CHECK(hanging.hear() == 'r');
  kill(hanging.id, SIGTERM);
  CHECK(hanging.hear() == 's');
  CHECK(hanging.wait() == 143);
}

TEST_CASE("signals are the system's again afterwards", "[cli][unit]") {
  const forked_child leaving{[](int out) {
    {
      const stop_signals signals{[] {}};
    }
    tell(out, 'r');
    for (;;)
      pause();
    return 0;
  }};
  CHECK(leaving.hear() == 'r');
  kill(leaving.id, SIGTERM);
  CHECK(leaving.wait() == -SIGTERM);
}
