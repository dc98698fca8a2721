// SPDX-License-Identifier: MIT
#include "replicant/tests/support/tcp_proxy.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <arpa/inet.h>
#include <catch2/catch.hpp>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>

using namespace replicant::test;

namespace {

sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

/// Answers what it hears, one connection after the other.
class echo_server {
public:
  echo_server() : listener_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)} {
    auto address = loopback(0);
    socklen_t size = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    REQUIRE(::bind(listener_, generic, size) == 0);
    REQUIRE(::listen(listener_, 4) == 0);
    REQUIRE(::getsockname(listener_, generic, &size) == 0);
    port = ntohs(address.sin_port);
    thread_ = std::jthread{[this] {
      for (int one = ::accept(listener_, nullptr, nullptr); one >= 0;
           one = ::accept(listener_, nullptr, nullptr)) {
        std::array<char, 256> buffer{};
        for (auto heard = ::recv(one, buffer.data(), buffer.size(), 0); heard > 0;
             heard = ::recv(one, buffer.data(), buffer.size(), 0))
          if (::send(one, buffer.data(), static_cast<std::size_t>(heard), MSG_NOSIGNAL) < 0)
            break;
        ::close(one);
      }
    }};
  }

  ~echo_server() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
  }

  int port = 0;

private:
  int listener_;
  std::jthread thread_;
};

class client {
public:
  explicit client(int port) : socket_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)} {
    auto address = loopback(port);
    REQUIRE(::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  }

  ~client() { ::close(socket_); }

  void say(const std::string& text) const {
    REQUIRE(::send(socket_, text.data(), text.size(), MSG_NOSIGNAL) ==
            static_cast<ssize_t>(text.size()));
  }

  /// What arrives within `patience`, once; "reset" or "end" when the connection is over.
  [[nodiscard]] std::string hear(std::chrono::milliseconds patience) const {
    pollfd entry{.fd = socket_, .events = POLLIN, .revents = 0};
    if (::poll(&entry, 1, static_cast<int>(patience.count())) <= 0)
      return "nothing";
    std::array<char, 256> buffer{};
    const auto size = ::recv(socket_, buffer.data(), buffer.size(), 0);
    if (size <= 0)
      return size == 0 ? "end" : "reset";
    return {buffer.data(), static_cast<std::size_t>(size)};
  }

private:
  int socket_;
};

constexpr std::chrono::milliseconds soon{50};
constexpr std::chrono::seconds late{10};

} // namespace

TEST_CASE("the proxy passes on, and alters what the server says", "[proxy][unit]") {
  const echo_server server;
  tcp_proxy network{server.port};
  const client one{network.port()};
  one.say("hello");
  CHECK(one.hear(late) == "hello");
  network.rewrite("ll", "LL");
  one.say("hello");
  CHECK(one.hear(late) == "heLLo");
}

TEST_CASE("a stalled proxy delivers later, a half-open one never", "[proxy][unit]") {
  const echo_server server;
  tcp_proxy network{server.port};
  const client one{network.port()};
  one.say("first");
  REQUIRE(one.hear(late) == "first");
  network.stall();
  one.say("stalled");
  CHECK(one.hear(soon) == "nothing");
  network.forward();
  CHECK(one.hear(late) == "stalled");
  network.half_open();
  one.say("swallowed");
  CHECK(one.hear(soon) == "nothing");
  CHECK(network.bytes_from_server() == std::string{"firststalled"}.size());
  network.forward();
  one.say("again");
  CHECK(one.hear(late) == "again");
}

TEST_CASE("a delaying proxy takes its time in each direction", "[proxy][unit]") {
  const echo_server server;
  tcp_proxy network{server.port};
  network.delay(std::chrono::milliseconds{60});
  const client one{network.port()};
  const auto begin = std::chrono::steady_clock::now();
  one.say("slow");
  CHECK(one.hear(late) == "slow");
  CHECK(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds{120});
}

TEST_CASE("a cutting proxy resets what is open, a refusing one what is new", "[proxy][unit]") {
  const echo_server server;
  tcp_proxy network{server.port};
  {
    const client one{network.port()};
    one.say("x");
    REQUIRE(one.hear(late) == "x");
    CHECK(network.connections() == 1);
    network.cut();
    CHECK(one.hear(late) == "reset");
    CHECK(network.connections() == 0);
  }
  network.refuse(true);
  CHECK(client{network.port()}.hear(late) == "reset");
  network.refuse(false);
  const client another{network.port()};
  another.say("y");
  CHECK(another.hear(late) == "y");
}
