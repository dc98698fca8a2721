// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/tests/support/wait_until.hpp"

#include <catch2/catch.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <string>

namespace replicant::test {

/// A child that runs `body` with the write end of a pipe.
struct forked_child {
  explicit forked_child(const std::function<int(int)>& body) {
    REQUIRE(pipe(ends) == 0);
    id = fork();
    if (id == 0) {
      // The test program has handlers of its own.
      for (const int number : {SIGTERM, SIGINT, SIGHUP})
        std::signal(number, SIG_DFL);
      _exit(body(ends[1]));
    }
    close(ends[1]);
  }

  forked_child(const forked_child&) = delete;
  forked_child& operator=(const forked_child&) = delete;

  ~forked_child() { close(ends[0]); }

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

  /// The exit code, or a signal's number with a minus.
  [[nodiscard]] int wait() const {
    int status = 0;
    REQUIRE(waitpid(id, &status, 0) == id);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  int ends[2]{};
  pid_t id = -1;
};

/// What a child says to its parent.
inline void tell(int to, char byte) {
  if (write(to, &byte, 1) != 1)
    _exit(98);
}

} // namespace replicant::test
