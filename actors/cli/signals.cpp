// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/signals.hpp"

#include "replicant/actors/cli/exit_code.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <csignal>
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

postgres::descriptor checked(int number) {
  if (number < 0)
    throw std::system_error{errno, std::system_category()};
  return postgres::descriptor{number};
}

} // namespace

stop_signals::stop_signals(std::function<void()> on_stop, std::chrono::milliseconds patience)
  : on_stop_{std::move(on_stop)}, patience_{patience} {
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
  constexpr int for_ever = -1;
  for (int patience = for_ever;; patience = static_cast<int>(patience_.count())) {
    while (poll(waiting.data(), waiting.size(), patience) < 0) {
    }
    if (waiting[1].revents != 0)
      return;
    // Whatever hangs must not hang this: no destructor, no buffer is waited for.
    if (patience != for_ever)
      _exit(static_cast<int>(exit_code::interrupted));
    signalfd_siginfo ignored{};
    if (read(signals_.number(), &ignored, sizeof ignored) < 0)
      return;
    on_stop_();
  }
}

} // namespace replicant::cli
