// SPDX-License-Identifier: MIT
#include "replicant/tests/support/http_client.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>

namespace replicant::test {

http_client::http_client(int port) : socket_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)} {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(port));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0)
    return;
  ::close(socket_);
  socket_ = -1;
}

http_client::~http_client() {
  if (socket_ >= 0)
    ::close(socket_);
}

bool http_client::say(const std::string& text) const {
  return ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL) ==
         static_cast<ssize_t>(text.size());
}

std::string http_client::hear() const {
  std::string all;
  std::array<char, 4096> bytes{};
  pollfd waiting{socket_, POLLIN, 0};
  while (::poll(&waiting, 1, 30'000) == 1) {
    const auto got = ::recv(socket_, bytes.data(), bytes.size(), 0);
    if (got <= 0)
      break;
    all.append(bytes.data(), static_cast<std::size_t>(got));
  }
  return all;
}

http_answer http_request(int port, const std::string& method, const std::string& path) {
  const http_client client{port};
  if (!client.connected() || !client.say(method + " " + path + " HTTP/1.1\r\nHost: test\r\n\r\n"))
    return {};
  const auto all = client.hear();
  const auto end = all.find("\r\n\r\n");
  constexpr std::string_view version = "HTTP/1.1 ";
  if (!all.starts_with(version) || end == std::string::npos)
    return {};
  return {.status = std::atoi(all.c_str() + version.size()),
          .head = all.substr(0, end),
          .body = all.substr(end + 4)};
}

} // namespace replicant::test
