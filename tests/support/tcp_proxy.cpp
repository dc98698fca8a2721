// SPDX-License-Identifier: MIT
#include "replicant/tests/support/tcp_proxy.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <stdexcept>

namespace replicant::test {

namespace {

/// What one direction may hold back before it stops reading.
constexpr std::size_t held_pieces = 64;

sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

int connect_to(int port) {
  const auto socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  auto address = loopback(port);
  if (::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    ::close(socket);
    return -1;
  }
  ::fcntl(socket, F_SETFL, O_NONBLOCK);
  return socket;
}

void close_socket(int socket, bool reset) {
  if (reset) {
    const linger at_once{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(socket, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  }
  ::close(socket);
}

bool would_block() {
  return errno == EAGAIN || errno == EINTR;
}

} // namespace

tcp_proxy::tcp_proxy(int target_port) : target_port_{target_port} {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  auto address = loopback(0);
  socklen_t size = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  // Small, so that a stalled connection soon fills up; accepted sockets inherit it.
  const int buffer = 65536;
  ::setsockopt(listener_, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);
  if (::bind(listener_, generic, size) != 0 || ::listen(listener_, 64) != 0 ||
      ::getsockname(listener_, generic, &size) != 0)
    throw std::runtime_error{"the proxy cannot listen"};
  port_ = ntohs(address.sin_port);
  event_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  thread_ = std::jthread{[this](const std::stop_token& ending) { run(ending); }};
}

tcp_proxy::~tcp_proxy() {
  thread_.request_stop();
  wake();
  thread_.join();
  for (const auto& one : links_)
    close_link(one, true);
  ::close(listener_);
  ::close(event_);
}

void tcp_proxy::become(mode now) {
  {
    const std::lock_guard lock{mutex_};
    mode_ = now;
  }
  wake();
}

void tcp_proxy::cut() {
  {
    const std::lock_guard lock{mutex_};
    for (const auto& one : links_)
      close_link(one, true);
    links_.clear();
  }
  wake();
}

void tcp_proxy::refuse(bool refusing) {
  const std::lock_guard lock{mutex_};
  refusing_ = refusing;
}

void tcp_proxy::delay(std::chrono::milliseconds how_long) {
  const std::lock_guard lock{mutex_};
  delay_ = how_long;
}

void tcp_proxy::rewrite(std::string from, std::string to) {
  const std::lock_guard lock{mutex_};
  rewrite_from_ = std::move(from);
  rewrite_to_ = std::move(to);
}

std::size_t tcp_proxy::connections() {
  const std::lock_guard lock{mutex_};
  return links_.size();
}

void tcp_proxy::wake() const {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(event_, &one, sizeof one);
}

void tcp_proxy::close_link(const link& one, bool reset) {
  close_socket(one.client, reset);
  close_socket(one.server, reset);
}

void tcp_proxy::run(const std::stop_token& ending) {
  while (!ending.stop_requested()) {
    std::vector<pollfd> entries{{.fd = event_, .events = POLLIN, .revents = 0},
                                {.fd = listener_, .events = POLLIN, .revents = 0}};
    auto timeout = -1;
    {
      const std::lock_guard lock{mutex_};
      timeout = watch(entries);
    }
    if (::poll(entries.data(), entries.size(), timeout) < 0)
      continue;
    std::uint64_t count = 0;
    [[maybe_unused]] const auto taken = ::read(event_, &count, sizeof count);
    const std::lock_guard lock{mutex_};
    if (entries[1].revents != 0)
      accept_one();
    if (mode_ != mode::stall)
      links_.remove_if([this](link& one) { return !serve(one); });
  }
}

int tcp_proxy::watch(std::vector<pollfd>& entries) const {
  if (mode_ == mode::stall)
    return -1;
  auto timeout = -1;
  for (const auto& one : links_)
    for (const auto* direction : {&one.up, &one.down}) {
      if (!direction->ended && direction->held.size() < held_pieces)
        entries.push_back({.fd = direction->from, .events = POLLIN, .revents = 0});
      if (direction->held.empty())
        continue;
      const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(direction->held.front().due - clock::now());
      if (left.count() > 0)
        timeout = timeout < 0 ? static_cast<int>(left.count())
                              : std::min(timeout, static_cast<int>(left.count()));
      else
        entries.push_back({.fd = direction->to, .events = POLLOUT, .revents = 0});
    }
  return timeout;
}

void tcp_proxy::accept_one() {
  const auto client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (client < 0)
    return;
  const auto server = refusing_ ? -1 : connect_to(target_port_);
  if (server < 0) {
    close_socket(client, true);
    return;
  }
  auto& one = links_.emplace_back();
  one.client = one.up.from = one.down.to = client;
  one.server = one.up.to = one.down.from = server;
  one.down.from_server = true;
}

bool tcp_proxy::serve(link& one) {
  for (auto* direction : {&one.up, &one.down})
    if (!read_into(*direction) || !write_from(*direction)) {
      close_link(one, true);
      return false;
    }
  if (!one.up.closed || !one.down.closed)
    return true;
  close_link(one, false);
  return false;
}

bool tcp_proxy::read_into(lane& one) {
  std::array<char, 65536> buffer{};
  while (!one.ended && one.held.size() < held_pieces) {
    const auto size = ::recv(one.from, buffer.data(), buffer.size(), 0);
    if (size < 0)
      return would_block();
    if (size == 0) {
      one.ended = true;
      break;
    }
    std::string bytes{buffer.data(), static_cast<std::size_t>(size)};
    if (one.from_server) {
      from_server_ += bytes.size();
      alter(bytes);
    }
    if (mode_ != mode::swallow)
      one.held.push_back({clock::now() + delay_, std::move(bytes)});
  }
  return true;
}

bool tcp_proxy::write_from(lane& one) {
  while (!one.held.empty() && one.held.front().due <= clock::now()) {
    auto& bytes = one.held.front().bytes;
    const auto size = ::send(one.to, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (size < 0)
      return would_block();
    bytes.erase(0, static_cast<std::size_t>(size));
    if (!bytes.empty())
      return true;
    one.held.pop_front();
  }
  // An end that was swallowed is not told either.
  if (one.ended && !one.closed && one.held.empty() && mode_ == mode::forward) {
    ::shutdown(one.to, SHUT_WR);
    one.closed = true;
  }
  return true;
}

void tcp_proxy::alter(std::string& bytes) const {
  if (rewrite_from_.empty())
    return;
  for (auto at = bytes.find(rewrite_from_); at != std::string::npos;
       at = bytes.find(rewrite_from_, at + rewrite_to_.size()))
    bytes.replace(at, rewrite_from_.size(), rewrite_to_);
}

} // namespace replicant::test
