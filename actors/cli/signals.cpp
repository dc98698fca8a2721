// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/signals.hpp"

#include "replicant/actors/cli/exit_code.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <string_view>
#include <system_error>

namespace replicant::cli {

namespace {

/// nohup(1) has the end of the terminal ignored, and what is blocked would come all the same.
bool minds_the_terminal() {
  struct sigaction now = {};
  return sigaction(SIGHUP, nullptr, &now) == 0 && now.sa_handler != SIG_IGN;
}

sigset_t stopping() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  if (minds_the_terminal())
    sigaddset(&set, SIGHUP);
  return set;
}

/// timeout(1) and shells signal the process and then its group: that is one wish, told twice.
constexpr std::chrono::milliseconds same_wish{300};

/// Whatever hangs must not hang this: no destructor, no buffer, no reader of stderr is waited for.
void say_leaving() {
  constexpr std::string_view words = "replicant: a second signal, so leaving at once\n";
  pollfd told{STDERR_FILENO, POLLOUT, 0};
  if (poll(&told, 1, 0) > 0 && write(STDERR_FILENO, words.data(), words.size()) < 0) {
    // Nobody is there to be told.
  }
}

descriptor checked(int number) {
  if (number < 0)
    throw std::system_error{errno, std::system_category()};
  return descriptor{number};
}

} // namespace

stop_signals::stop_signals(std::function<void()> on_stop, std::chrono::milliseconds patience,
                           std::function<void()> before_leaving)
  : on_stop_{std::move(on_stop)}, patience_{patience}, before_leaving_{std::move(before_leaving)} {
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

/// Milliseconds as poll takes them.
int stop_signals::time_left(std::optional<clock::time_point> asked) const {
  if (!asked)
    return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*asked + patience_ - clock::now());
  return static_cast<int>(std::max(left.count(), std::chrono::milliseconds::rep{0}));
}

void stop_signals::leave() const {
  if (before_leaving_)
    before_leaving_();
  _exit(static_cast<int>(exit_code::interrupted));
}

void stop_signals::watch() {
  std::array<pollfd, 2> waiting{{{signals_.number(), POLLIN, 0}, {leave_.number(), POLLIN, 0}}};
  std::optional<clock::time_point> asked;
  for (;;) {
    while (poll(waiting.data(), waiting.size(), time_left(asked)) < 0) {
    }
    if (waiting[1].revents != 0)
      return;
    if (waiting[0].revents == 0) // The patience is over.
      leave();
    signalfd_siginfo ignored{};
    if (read(signals_.number(), &ignored, sizeof ignored) < 0)
      return;
    const auto now = clock::now();
    if (!asked) {
      asked = now;
      on_stop_();
    } else if (now - *asked >= same_wish) {
      say_leaving();
      leave();
    }
  }
}

} // namespace replicant::cli
