// SPDX-License-Identifier: MIT
#include "replicant/actors/postgres/transport.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstring>

namespace replicant::postgres {

namespace {

bool is_loopback(const in_addr& address) {
  return ntohl(address.s_addr) >> 24U == IN_LOOPBACKNET;
}

bool is_loopback(const in6_addr& address) {
  in_addr mapped{};
  std::memcpy(&mapped, address.s6_addr + 12, sizeof mapped);
  return IN6_IS_ADDR_LOOPBACK(&address) || (IN6_IS_ADDR_V4MAPPED(&address) && is_loopback(mapped));
}

} // namespace

transport transport_of(int socket) {
  sockaddr_storage peer{};
  socklen_t size = sizeof peer;
  if (::getpeername(socket, reinterpret_cast<sockaddr*>(&peer), &size) != 0)
    return transport::network;
  switch (peer.ss_family) {
    case AF_UNIX: return transport::unix_socket;
    case AF_INET:
      return is_loopback(reinterpret_cast<const sockaddr_in&>(peer).sin_addr) ? transport::loopback
                                                                              : transport::network;
    case AF_INET6:
      return is_loopback(reinterpret_cast<const sockaddr_in6&>(peer).sin6_addr)
               ? transport::loopback
               : transport::network;
    default: return transport::network;
  }
}

std::chrono::microseconds gathering_limit_of(transport over) {
  using std::chrono::microseconds;
  switch (over) {
    // It is full after some 270 messages, however small.
    case transport::unix_socket: return microseconds{200};
    case transport::loopback: return microseconds{1000};
    case transport::network: break;
  }
  return microseconds{250};
}

void tighten_window(int socket) {
  constexpr int bytes = 128 * 1024;
  if (transport_of(socket) == transport::loopback)
    ::setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
}

} // namespace replicant::postgres
