// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/signals.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <string>

using namespace replicant::cli;
using replicant::test::wait_until;

namespace {

/// A child that runs `body` with the write end of a pipe.
struct child {
  explicit child(const std::function<int(int)>& body) {
    REQUIRE(pipe(ends) == 0);
    id = fork();
    if (id == 0) {
      // The test program has handlers of its own.
      for (const int number : {SIGTERM, SIGINT})
        std::signal(number, SIG_DFL);
      _exit(body(ends[1]));
    }
    close(ends[1]);
  }

  ~child() { close(ends[0]); }

  /// The next byte that the child writes.
  [[nodiscard]] char hear() const {
    char byte = 0;
    REQUIRE(read(ends[0], &byte, 1) == 1);
    return byte;
  }

  /// Sends a signal again and again until it has ended. @returns as `wait`.
  [[nodiscard]] int insist(int number) const {
    int status = 0;
    REQUIRE(wait_until([&] {
      kill(id, number);
      return waitpid(id, &status, WNOHANG) == id;
    }));
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  /// All that it wrote and `hear` has not taken, once it has ended.
  [[nodiscard]] std::string rest() const {
    std::string all;
    for (char byte = 0; read(ends[0], &byte, 1) == 1;)
      all.push_back(byte);
    return all;
  }

  [[nodiscard]] int wait() const {
    int status = 0;
    REQUIRE(waitpid(id, &status, 0) == id);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  int ends[2]{};
  pid_t id = -1;
};

void tell(int to, char byte) {
  if (write(to, &byte, 1) != 1)
    _exit(98);
}

} // namespace

TEST_CASE("the first signal asks, one that comes later leaves at once and says so", "[cli][unit]") {
  for (const int number : {SIGTERM, SIGINT}) {
    const child hanging{[](int out) {
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
  const child hanging{[](int out) {
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

TEST_CASE("signals are the system's again afterwards", "[cli][unit]") {
  const child leaving{[](int out) {
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

TEST_CASE("memory with row values in it cannot be dumped", "[cli][unit]") {
  const child hardened{[](int) {
    harden_process();
    rlimit limit{1, 1};
    getrlimit(RLIMIT_CORE, &limit);
    struct sigaction broken_pipe {};
    sigaction(SIGPIPE, nullptr, &broken_pipe);
    int wrong = 0;
    wrong += limit.rlim_cur != 0 || limit.rlim_max != 0 ? 1 : 0;
    wrong += broken_pipe.sa_handler != SIG_IGN ? 2 : 0;
#ifndef __SANITIZE_ADDRESS__
    wrong += prctl(PR_GET_DUMPABLE) != 0 ? 4 : 0;
#endif
    return wrong;
  }};
  CHECK(hardened.wait() == 0);
#ifndef __SANITIZE_ADDRESS__
  const child plain{[](int) { return prctl(PR_GET_DUMPABLE); }};
  CHECK(plain.wait() == 1);
#endif
}
