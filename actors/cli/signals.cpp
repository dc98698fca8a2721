// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/signals.hpp"

#include "replicant/actors/cli/exit_code.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <optional>
#include <string_view>
#include <system_error>

namespace replicant::cli {

namespace {

sigset_t stopping() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}

/// timeout(1) and shells signal the process and then its group: that is one wish, told twice.
constexpr std::chrono::milliseconds same_wish{300};

/// Whatever hangs must not hang this: no destructor, no buffer, no reader of stderr is waited for.
[[noreturn]] void leave_at_once() {
  constexpr std::string_view words = "replicant: a second signal, so leaving at once\n";
  pollfd told{STDERR_FILENO, POLLOUT, 0};
  if (poll(&told, 1, 0) > 0 && write(STDERR_FILENO, words.data(), words.size()) < 0) {
    // Nobody is there to be told.
  }
  _exit(static_cast<int>(exit_code::interrupted));
}

postgres::descriptor checked(int number) {
  if (number < 0)
    throw std::system_error{errno, std::system_category()};
  return postgres::descriptor{number};
}

} // namespace

void harden_process() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
#ifndef __SANITIZE_ADDRESS__ // The leak checker is a debugger of its own process.
  prctl(PR_SET_DUMPABLE, 0);
#endif
}

stop_signals::stop_signals(std::function<void()> on_stop) : on_stop_{std::move(on_stop)} {
  const auto set = stopping();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  signals_ = checked(signalfd(-1, &set, SFD_CLOEXEC));
  leave_ = checked(eventfd(0, EFD_CLOEXEC));
  thread_ = std::jthread{[this] { watch(); }};
}

stop_signals::~stop_signals() {
  eventfd_write(leave_.number(), 1);
  thread_.join();
  const auto set = stopping();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

void stop_signals::watch() {
  std::array<pollfd, 2> waiting{{{signals_.number(), POLLIN, 0}, {leave_.number(), POLLIN, 0}}};
  std::optional<std::chrono::steady_clock::time_point> asked;
  for (;;) {
    while (poll(waiting.data(), waiting.size(), -1) < 0) {
    }
    if (waiting[1].revents != 0)
      return;
    signalfd_siginfo ignored{};
    if (read(signals_.number(), &ignored, sizeof ignored) < 0)
      return;
    const auto now = std::chrono::steady_clock::now();
    if (!asked) {
      asked = now;
      on_stop_();
    } else if (now - *asked >= same_wish) {
      leave_at_once();
    }
  }
}

} // namespace replicant::cli
