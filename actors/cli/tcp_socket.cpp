// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/tcp_socket.hpp"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <memory>
#include <system_error>

namespace replicant::cli {

namespace {

constexpr int backlog = 64;

struct address_freer {
  void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};

/// A socket that listens there, or none, and errno says why.
descriptor listen_at(const addrinfo& at) {
  descriptor made{::socket(at.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
  // A port whose last connections have just ended may be had again.
  const int yes = 1;
  if (made && ::setsockopt(made.number(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
      ::bind(made.number(), at.ai_addr, at.ai_addrlen) == 0 &&
      ::listen(made.number(), backlog) == 0)
    return made;
  return {};
}

} // namespace

tl::expected<descriptor, std::string> listen_tcp(const listen_address& at) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const auto unknown =
    ::getaddrinfo(at.host.c_str(), std::to_string(at.port).c_str(), &hints, &found);
  if (unknown != 0)
    return tl::unexpected<std::string>{::gai_strerror(unknown)};
  const std::unique_ptr<addrinfo, address_freer> list{found};
  auto error = 0;
  for (const auto* one = list.get(); one != nullptr; one = one->ai_next) {
    if (auto made = listen_at(*one))
      return made;
    if (error == 0)
      error = errno;
  }
  return tl::unexpected<std::string>{std::system_category().message(error)};
}

std::uint16_t port_of(const descriptor& listening) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  if (::getsockname(listening.number(), any, &size) != 0)
    return 0;
  return ntohs(address.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6*>(any)->sin6_port
                                             : reinterpret_cast<sockaddr_in*>(any)->sin_port);
}

} // namespace replicant::cli
