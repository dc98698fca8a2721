// SPDX-License-Identifier: MIT
#include "replicant/actors/files/descriptor.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace replicant {

namespace {

/// What the system only reads, in the type that it takes.
iovec piece_of(std::string_view bytes) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
  return {const_cast<char*>(bytes.data()), bytes.size()};
}

} // namespace

descriptor::~descriptor() {
  if (number_ >= 0)
    ::close(number_);
}

descriptor descriptor::open(const std::string& path, int flags, mode_t mode) {
  return open_at(AT_FDCWD, path, flags, mode);
}

descriptor descriptor::open_at(int folder, const std::string& name, int flags, mode_t mode) {
  constexpr int always = O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
  return descriptor{::openat(folder, name.c_str(), flags | always, mode)};
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

transfer read_at(int number, std::uint64_t offset, std::span<char> into) {
  transfer done;
  while (!into.empty()) {
    const auto got =
      ::pread(number, into.data(), into.size(), static_cast<off_t>(offset + done.size));
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      done.error = errno;
    if (got <= 0)
      break;
    done.size += static_cast<std::size_t>(got);
    into = into.subspan(static_cast<std::size_t>(got));
  }
  return done;
}

transfer write_at(int number, std::uint64_t offset, std::string_view first,
                  std::string_view second) {
  transfer done;
  while (!first.empty() || !second.empty()) {
    const std::array both{piece_of(first), piece_of(second)};
    const auto put = ::pwritev(number, both.data(), static_cast<int>(both.size()),
                               static_cast<off_t>(offset + done.size));
    if (put < 0 && errno == EINTR)
      continue;
    if (put <= 0) {
      done.error = put < 0 ? errno : EIO;
      break;
    }
    const auto taken = static_cast<std::size_t>(put);
    const auto of_first = std::min(taken, first.size());
    done.size += taken;
    first.remove_prefix(of_first);
    second.remove_prefix(taken - of_first);
  }
  return done;
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
