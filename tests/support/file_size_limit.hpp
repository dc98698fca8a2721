// SPDX-License-Identifier: MIT
#pragma once

#include <catch2/catch.hpp>
#include <sys/resource.h>

#include <csignal>

namespace replicant::test {

/// No file of this process may grow beyond a size, as on a full disk.
class file_size_limit {
public:
  explicit file_size_limit(rlim_t bytes) {
    ::signal(SIGXFSZ, SIG_IGN);
    REQUIRE(::getrlimit(RLIMIT_FSIZE, &before_) == 0);
    const rlimit limit{bytes, before_.rlim_max};
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &limit) == 0);
  }

  file_size_limit(const file_size_limit&) = delete;
  file_size_limit& operator=(const file_size_limit&) = delete;

  ~file_size_limit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, SIG_DFL);
  }

private:
  rlimit before_{};
};

} // namespace replicant::test
