// SPDX-License-Identifier: MIT
#include "replicant/actors/files/descriptor.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace replicant {

descriptor::~descriptor() {
  if (number_ >= 0)
    ::close(number_);
}

descriptor descriptor::open(const std::string& path, int flags, mode_t mode) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
  return descriptor{::open(path.c_str(), flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, mode)};
}

descriptor descriptor::duplicate(int number) {
  return descriptor{number < 0 ? -1 : ::fcntl(number, F_DUPFD_CLOEXEC, 0)};
}

int write_all(int number, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto put = ::write(number, bytes.data(), bytes.size());
    if (put > 0)
      bytes.remove_prefix(static_cast<std::size_t>(put));
    else if (put == 0)
      return EIO;
    else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      pollfd entry{.fd = number, .events = POLLOUT, .revents = 0};
      ::poll(&entry, 1, -1);
    } else if (errno != EINTR)
      return errno;
  }
  return 0;
}

int sync_all(int number) {
  while (::fsync(number) != 0)
    if (errno != EINTR)
      return errno;
  return 0;
}

int sync_folder(const std::string& folder) {
  const auto handle = descriptor::open(folder, O_RDONLY | O_DIRECTORY);
  if (!handle)
    return errno;
  // Some file systems cannot sync a folder, and need not: they answer EINVAL.
  const auto error = sync_all(handle.number());
  return error == EINVAL ? 0 : error;
}

} // namespace replicant
