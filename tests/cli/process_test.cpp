// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/process.hpp"
#include "replicant/tests/cli/forked_child.hpp"

#include <catch2/catch.hpp>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
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

TEST_CASE("a connection string is overwritten among the arguments", "[cli][unit]") {
  std::array<std::string, 4> arguments{"replicant", "tail", "password=x", "password=xy"};
  std::array<char*, 4> argv{};
  std::ranges::transform(arguments, argv.begin(), [](std::string& one) { return one.data(); });
  conceal_argument(static_cast<int>(argv.size()), argv.data(), "password=x");
  CHECK(arguments == std::array<std::string, 4>{"replicant", "tail", "**********", "password=xy"});
}
