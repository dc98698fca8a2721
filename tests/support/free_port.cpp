// SPDX-License-Identifier: MIT
#include "replicant/tests/support/pg_cluster.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <random>
#include <stdexcept>

namespace replicant::test {

namespace {

bool can_bind(int port) {
  const auto probe = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const auto bound = ::bind(probe, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  ::close(probe);
  return bound;
}

} // namespace

int free_port() {
  // Below the range from which the kernel takes ports for clients, so that no connection of another
  // test has it when a server comes back.
  std::random_device seed;
  std::uniform_int_distribution<int> any{15000, 32000};
  for (int attempt = 0; attempt < 100; ++attempt)
    if (const auto port = any(seed); can_bind(port))
      return port;
  throw std::runtime_error{"no free port"};
}

} // namespace replicant::test
