// SPDX-License-Identifier: MIT
#include "replicant/actors/postgres/descriptor.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace replicant::postgres {

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

} // namespace replicant::postgres
