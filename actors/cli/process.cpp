// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/process.hpp"

#include <sys/prctl.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>

namespace replicant::cli {

void harden_process() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
#ifndef __SANITIZE_ADDRESS__ // The leak checker is a debugger of its own process.
  prctl(PR_SET_DUMPABLE, 0);
#endif
}

void conceal_argument(int argc, char** argv, std::string_view secret) {
  for (int i = 1; i < argc; ++i)
    if (argv[i] == secret)
      std::fill_n(argv[i], secret.size(), '*');
}

} // namespace replicant::cli
