// SPDX-License-Identifier: MIT
#include "replicant/actors/postgres/readiness.hpp"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <system_error>
#include <utility>

namespace replicant::postgres {

namespace {

/// Signals are for the threads of the program: none is to end up here.
class blocked_signals {
public:
  blocked_signals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }

  blocked_signals(const blocked_signals&) = delete;
  blocked_signals& operator=(const blocked_signals&) = delete;
  blocked_signals(blocked_signals&&) = delete;
  blocked_signals& operator=(blocked_signals&&) = delete;

  ~blocked_signals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

private:
  sigset_t before_{};
};

} // namespace

readiness::readiness()
  : poll_{::epoll_create1(EPOLL_CLOEXEC)}, stop_{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)} {
  known_.fill(-1);
  epoll_event ending{.events = EPOLLIN, .data = {.u64 = 0}};
  if (!poll_ || !stop_ || ::epoll_ctl(poll_.number(), EPOLL_CTL_ADD, stop_.number(), &ending) != 0)
    throw std::system_error{errno, std::generic_category()};
}

readiness::~readiness() {
  stop();
}

void readiness::arm(sockets which, std::function<void()> ready) {
  {
    const std::lock_guard lock{mutex_};
    ++order_;
    ready_ = std::move(ready);
    for (std::size_t i = 0; i < which.size(); ++i)
      watch(known_[i], which[i]);
  }
  if (!thread_.joinable()) {
    const blocked_signals inherited;
    thread_ = std::jthread{[this](const std::stop_token& ending) { run(ending); }};
  }
}

/// Has epoll tell once of `now` instead of what it knew `before`.
void readiness::watch(int& before, const watched& now) const {
  if (before != -1 && before != now.socket)
    ::epoll_ctl(poll_.number(), EPOLL_CTL_DEL, before, nullptr);
  const auto how = before == now.socket ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
  before = -1;
  if (now.socket == -1)
    return;
  // On Linux the events of poll and of epoll are the same bits.
  const auto events = static_cast<std::uint32_t>(now.events);
  epoll_event wanted{.events = events | EPOLLONESHOT, .data = {.u64 = order_}};
  if (::epoll_ctl(poll_.number(), how, now.socket, &wanted) == 0)
    before = now.socket;
  else if (errno != EPERM) // A regular file, which never has anything to say.
    throw std::system_error{errno, std::generic_category()};
}

void readiness::stop() {
  if (!thread_.joinable())
    return;
  thread_.request_stop();
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(stop_.number(), &one, sizeof one);
  thread_.join();
}

std::function<void()> readiness::take(std::uint64_t order) {
  const std::lock_guard lock{mutex_};
  return order == order_ ? std::exchange(ready_, nullptr) : nullptr;
}

void readiness::run(const std::stop_token& ending) {
  while (!ending.stop_requested()) {
    epoll_event what{};
    if (::epoll_wait(poll_.number(), &what, 1, -1) == 1)
      if (const auto ready = take(what.data.u64))
        ready();
  }
}

} // namespace replicant::postgres
