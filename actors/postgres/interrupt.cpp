// SPDX-License-Identifier: MIT
#include "replicant/actors/postgres/interrupt.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <system_error>

namespace replicant::postgres {

namespace {

/// Milliseconds as poll takes them: -1 for ever, otherwise rounded up, so that a wait never spins
/// through the last one.
int poll_timeout(deadline until) {
  if (until == never)
    return -1;
  const auto left =
    std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(
    left.count(), 0, std::chrono::milliseconds{std::chrono::hours{1}}.count()));
}

constexpr std::chrono::microseconds longest_wait{999'999};

} // namespace

interrupt_flag::interrupt_flag() : event_{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)} {
  if (!event_)
    throw std::system_error{errno, std::generic_category()};
}

void interrupt_flag::raise() {
  // Never read, so it stays readable; a counter that is full already says what we want to say.
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(event_.number(), &one, sizeof one);
}

bool interrupt_flag::raised() const {
  pollfd entry{.fd = event_.number(), .events = POLLIN, .revents = 0};
  return ::poll(&entry, 1, 0) > 0;
}

void interrupt_flag::wait(std::chrono::microseconds span) const {
  // By default the kernel lets 50 us more pass, so that it can serve several sleepers at a time.
  thread_local const auto exact = ::prctl(PR_SET_TIMERSLACK, 1UL);
  static_cast<void>(exact);
  pollfd entry{.fd = event_.number(), .events = POLLIN, .revents = 0};
  const timespec time{.tv_sec = 0,
                      .tv_nsec = std::chrono::nanoseconds{std::min(span, longest_wait)}.count()};
  ::ppoll(&entry, 1, &time, nullptr);
}

wake wait(int socket, short events, const interrupt_flag* stop, deadline until) {
  std::array entries{
    pollfd{.fd = socket, .events = events, .revents = 0},
    pollfd{.fd = stop == nullptr ? -1 : stop->number(), .events = POLLIN, .revents = 0}};
  for (;;) {
    const auto timeout = poll_timeout(until);
    const auto ready = ::poll(entries.data(), entries.size(), timeout);
    if (ready > 0)
      return entries[1].revents != 0 ? wake::interrupted : wake::ready;
    if (ready == 0 && until != never && std::chrono::steady_clock::now() >= until)
      return wake::timed_out;
    if (ready < 0 && errno != EINTR)
      return wake::timed_out;
  }
}

} // namespace replicant::postgres
