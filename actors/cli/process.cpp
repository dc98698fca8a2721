// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/process.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <iostream>

namespace replicant::cli {

namespace {

/// A session with a server that got the number of standard output would be written into. What
/// takes the place works in the wrong direction only: who uses it is told, as before, that it is
/// not open.
void occupy_standard_streams() {
  // NOLINTBEGIN(cppcoreguidelines-pro-type-vararg): fcntl and open are made so.
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(number, F_GETFD) < 0) // The lowest that is free, which is what open takes.
      static_cast<void>(::open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY));
  // NOLINTEND(cppcoreguidelines-pro-type-vararg)
}

} // namespace

void harden_process() {
  occupy_standard_streams();
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
#ifndef __SANITIZE_ADDRESS__ // The leak checker is a debugger of its own process.
  prctl(PR_SET_DUMPABLE, 0);
#endif
}

bool has_standard_output() {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
  const int flags = ::fcntl(STDOUT_FILENO, F_GETFL);
  if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY)
    return true;
  std::cerr
    << "replicant: standard output is closed; let it lead to a terminal, a file or a pipe\n";
  return false;
}

void conceal_argument(int argc, char** argv, std::string_view secret) {
  for (int i = 1; i < argc; ++i)
    if (argv[i] == secret)
      std::fill_n(argv[i], secret.size(), '*');
}

} // namespace replicant::cli
