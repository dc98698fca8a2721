// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/tests/support/temp_dir.hpp"
#include "replicant/tests/support/test_files.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>

namespace replicant::test {

/// The end of NOTIFY_SOCKET at which a service manager listens.
class notify_socket {
public:
  explicit notify_socket(const temp_dir& folder) : path_{folder / "notify"} {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    REQUIRE(path_.size() < sizeof address.sun_path);
    std::ranges::copy(path_, std::begin(address.sun_path));
    REQUIRE(::bind(number_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  }

  notify_socket(const notify_socket&) = delete;
  notify_socket& operator=(const notify_socket&) = delete;

  ~notify_socket() { ::close(number_); }

  [[nodiscard]] const std::string& path() const { return path_; }

  /// The next message; fails the test when none comes.
  [[nodiscard]] std::string hear() const {
    pollfd waiting{number_, POLLIN, 0};
    REQUIRE(::poll(&waiting, 1, 30'000) == 1);
    std::array<char, 4096> bytes{};
    const auto got = ::recv(number_, bytes.data(), bytes.size(), 0);
    REQUIRE(got > 0);
    return {bytes.data(), static_cast<std::size_t>(got)};
  }

  /// Hears messages until one holds this.
  void await(const std::string& text) const {
    while (hear().find(text) == std::string::npos) {
    }
  }

private:
  std::string path_;
  int number_ = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
};

} // namespace replicant::test
