// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/tests/support/temp_dir.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

namespace replicant::test {

/// Takes what the process writes to stderr, by whatever means, while it lives.
class captured_stderr {
public:
  captured_stderr() : before_{::dup(STDERR_FILENO)} {
    const auto file = ::open(folder_.file("stderr").c_str(), O_WRONLY | O_CREAT, 0600);
    ::dup2(file, STDERR_FILENO);
    ::close(file);
  }

  captured_stderr(const captured_stderr&) = delete;
  captured_stderr& operator=(const captured_stderr&) = delete;

  ~captured_stderr() {
    ::dup2(before_, STDERR_FILENO);
    ::close(before_);
  }

  /// All that was written until now.
  [[nodiscard]] std::string text() const {
    std::ifstream input{folder_.file("stderr")};
    std::ostringstream all;
    all << input.rdbuf();
    return all.str();
  }

private:
  temp_dir folder_;
  int before_;
};

} // namespace replicant::test
