// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/unix_socket.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>

namespace replicant::cli {

namespace {

constexpr int backlog = 16;

std::optional<sockaddr_un> address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  // A first zero byte would name something else than a file.
  if (path.empty() || path.size() >= sizeof address.sun_path)
    return std::nullopt;
  std::ranges::copy(path, std::begin(address.sun_path));
  return address;
}

descriptor unix_stream() {
  return descriptor{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
}

template <class Call>
opened_socket open_at(const std::string& path, Call call) {
  const auto address = address_of(path);
  if (!address)
    return tl::unexpected<int>{ENAMETOOLONG};
  auto opened = unix_stream();
  if (!opened || !call(opened.number(), reinterpret_cast<const sockaddr*>(&*address)))
    return tl::unexpected<int>{errno};
  return opened;
}

} // namespace

opened_socket connect_unix(const std::string& path) {
  return open_at(path, [](int number, const sockaddr* address) {
    return ::connect(number, address, sizeof(sockaddr_un)) == 0;
  });
}

opened_socket listen_unix(const std::string& path) {
  return open_at(path, [](int number, const sockaddr* address) {
    // Before bind, so that the file never has more rights than these.
    return ::fchmod(number, S_IRUSR | S_IWUSR) == 0 &&
           ::bind(number, address, sizeof(sockaddr_un)) == 0 && ::listen(number, backlog) == 0;
  });
}

bool is_own_user(const descriptor& connected) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return ::getsockopt(connected.number(), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
         (peer.uid == 0 || peer.uid == ::geteuid());
}

} // namespace replicant::cli
