// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/process.hpp"
#include "replicant/tests/support/forked_child.hpp"

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <string>

using namespace replicant::cli;
using namespace replicant::test;

TEST_CASE("memory with row values in it cannot be dumped", "[cli][unit]") {
  const forked_child hardened{[](int) {
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
  const forked_child plain{[](int) { return prctl(PR_GET_DUMPABLE); }};
  CHECK(plain.wait() == 1);
#endif
}

TEST_CASE("nothing that is opened gets the place of a closed standard stream", "[cli][unit]") {
  const forked_child closed{[](int) {
    for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      close(number);
    harden_process();
    const auto refuses = [](ssize_t went) { return went < 0 && errno == EBADF; };
    char byte = 0;
    int wrong = 0;
    wrong += open("/dev/null", O_RDONLY) <= STDERR_FILENO ? 1 : 0;
    wrong += refuses(read(STDIN_FILENO, &byte, 1)) ? 0 : 2;
    wrong += refuses(write(STDOUT_FILENO, &byte, 1)) ? 0 : 4;
    wrong += refuses(write(STDERR_FILENO, &byte, 1)) ? 0 : 8;
    wrong += has_standard_output() ? 16 : 0;
    return wrong;
  }};
  CHECK(closed.wait() == 0);
}

TEST_CASE("standard streams that are open stay what they are", "[cli][unit]") {
  const forked_child open_streams{[](int out) {
    dup2(out, STDOUT_FILENO);
    harden_process();
    tell(STDOUT_FILENO, 'o');
    return has_standard_output() ? 0 : 1;
  }};
  CHECK(open_streams.hear() == 'o');
  CHECK(open_streams.wait() == 0);
}

TEST_CASE("a connection string is overwritten among the arguments", "[cli][unit]") {
  std::array<std::string, 4> arguments{"replicant", "tail", "password=x", "password=xy"};
  std::array<char*, 4> argv{};
  std::ranges::transform(arguments, argv.begin(), [](std::string& one) { return one.data(); });
  conceal_argument(static_cast<int>(argv.size()), argv.data(), "password=x");
  CHECK(arguments == std::array<std::string, 4>{"replicant", "tail", "**********", "password=xy"});
}
