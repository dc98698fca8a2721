// SPDX-License-Identifier: MIT
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <iostream>
#include <string>

namespace replicant {

/// Takes over standard output and standard error of this process for as long as it lives.
class captured_output {
public:
  captured_output() : file_{memfd_create("captured output", 0)} {
    flush();
    for (auto stream : streams) {
      saved_[static_cast<std::size_t>(stream - 1)] = dup(stream);
      dup2(file_, stream);
    }
  }

  captured_output(const captured_output&) = delete;
  captured_output& operator=(const captured_output&) = delete;

  ~captured_output() {
    flush();
    for (auto stream : streams) {
      const auto saved = saved_[static_cast<std::size_t>(stream - 1)];
      dup2(saved, stream);
      close(saved);
    }
    close(file_);
  }

  /// Everything written so far.
  [[nodiscard]] std::string text() const {
    flush();
    std::string all;
    std::array<char, 4096> part{};
    while (true) {
      const auto got = pread(file_, part.data(), part.size(), static_cast<off_t>(all.size()));
      if (got <= 0)
        return all;
      all.append(part.data(), static_cast<std::size_t>(got));
    }
  }

private:
  static constexpr std::array streams{STDOUT_FILENO, STDERR_FILENO};

  static void flush() {
    std::fflush(nullptr);
    std::cout.flush();
    std::clog.flush();
  }

  int file_;
  std::array<int, 2> saved_{};
};

} // namespace replicant
