// SPDX-License-Identifier: MIT
#include "replicant/actors/postgres/readiness.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <system_error>

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

readiness::readiness() : event_{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)} {
  if (!event_)
    throw std::system_error{errno, std::generic_category()};
}

readiness::~readiness() {
  stop();
}

void readiness::arm(sockets which, std::function<void()> ready) {
  {
    const std::lock_guard lock{mutex_};
    armed_ = order{which, std::move(ready)};
  }
  if (!thread_.joinable()) {
    const blocked_signals inherited;
    thread_ = std::jthread{[this](const std::stop_token& ending) { run(ending); }};
  }
  wake();
}

void readiness::stop() {
  if (!thread_.joinable())
    return;
  thread_.request_stop();
  wake();
  thread_.join();
}

void readiness::wake() const {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(event_.number(), &one, sizeof one);
}

std::optional<readiness::sockets> readiness::current() const {
  const std::lock_guard lock{mutex_};
  return armed_ ? std::optional{armed_->which} : std::nullopt;
}

std::function<void()> readiness::take() {
  const std::lock_guard lock{mutex_};
  auto ready = armed_ ? std::move(armed_->ready) : std::function<void()>{};
  armed_.reset();
  return ready;
}

void readiness::run(const std::stop_token& ending) {
  while (!ending.stop_requested()) {
    const auto which = current().value_or(sockets{});
    std::array entries{pollfd{.fd = event_.number(), .events = POLLIN, .revents = 0},
                       pollfd{.fd = which[0].socket, .events = which[0].events, .revents = 0},
                       pollfd{.fd = which[1].socket, .events = which[1].events, .revents = 0}};
    if (::poll(entries.data(), entries.size(), -1) <= 0)
      continue;
    if (entries[0].revents != 0) {
      // Something was armed or stopped: what else poll saw may belong to the order before.
      std::uint64_t count = 0;
      [[maybe_unused]] const auto taken = ::read(event_.number(), &count, sizeof count);
      continue;
    }
    if (auto ready = take())
      ready();
  }
}

} // namespace replicant::postgres
