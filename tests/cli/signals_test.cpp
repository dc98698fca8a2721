// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/signals.hpp"
#include "replicant/tests/support/forked_child.hpp"

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <string>

using namespace replicant::cli;
using namespace replicant::test;

TEST_CASE("the first signal asks, one that comes later leaves at once and says so", "[cli][unit]") {
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) {
    const forked_child hanging{[](int out) {
      dup2(out, STDERR_FILENO);
      const stop_signals signals{[out] { tell(out, 's'); }};
      tell(out, 'r');
      for (;;)
        pause();
      return 0;
    }};
    CHECK(hanging.hear() == 'r');
    const auto asked = std::chrono::steady_clock::now();
    kill(hanging.id, number);
    CHECK(hanging.hear() == 's');
    CHECK(hanging.insist(number) == 143);
    // What comes together, as from timeout(1) or a shell, counts as one.
    CHECK(std::chrono::steady_clock::now() - asked >= std::chrono::milliseconds{300});
    CHECK(hanging.rest() == "replicant: a second signal, so leaving at once\n");
  }
}

TEST_CASE("nobody reading standard error keeps a second signal from leaving", "[cli][unit]") {
  const forked_child hanging{[](int out) {
    const std::string page(4096, 'x');
    // All that the pipe takes.
    fcntl(out, F_SETFL, O_NONBLOCK);
    const stop_signals signals{[] {}};
    tell(out, 'r');
    while (write(out, page.data(), page.size()) > 0) {
    }
    fcntl(out, F_SETFL, 0);
    dup2(out, STDERR_FILENO);
    for (;;)
      pause();
    return 0;
  }};
  CHECK(hanging.hear() == 'r');
  CHECK(hanging.insist(SIGTERM) == 143);
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

TEST_CASE("what must not be left behind goes before a hurried end", "[cli][unit]") {
  for (const auto hurry : {false, true}) {
    const forked_child hanging{[hurry](int out) {
      dup2(out, STDERR_FILENO);
      const stop_signals signals{[out] { tell(out, 's'); },
                                 hurry ? stop_signals::patience_by_default
                                       : std::chrono::milliseconds{50},
                                 [out] { tell(out, 'g'); }};
      tell(out, 'r');
      for (;;)
        pause();
      return 0;
    }};
    CHECK(hanging.hear() == 'r');
    kill(hanging.id, SIGTERM);
    CHECK(hanging.hear() == 's');
    CHECK((hurry ? hanging.insist(SIGTERM) : hanging.wait()) == 143);
    CHECK(hanging.rest() == (hurry ? "replicant: a second signal, so leaving at once\ng" : "g"));
  }
}

TEST_CASE("the end of the terminal is ignored where nohup asked for that", "[cli][unit]") {
  const forked_child detached{[](int out) {
    std::signal(SIGHUP, SIG_IGN);
    const stop_signals signals{[out] { tell(out, 's'); }};
    tell(out, 'r');
    // It would come first if it came.
    kill(getpid(), SIGHUP);
    kill(getpid(), SIGTERM);
    for (;;)
      pause();
    return 0;
  }};
  CHECK(detached.hear() == 'r');
  CHECK(detached.hear() == 's');
  kill(detached.id, SIGKILL);
  CHECK(detached.wait() == -SIGKILL);
  CHECK(detached.rest().empty());
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
