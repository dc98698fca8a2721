// SPDX-License-Identifier: MIT
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <initializer_list>
#include <iostream>
#include <string>
#include <vector>

namespace replicant::test {

/// Takes what the process writes to some of its streams, by whatever means, while it lives:
/// `captured_output printed{STDOUT_FILENO, STDERR_FILENO};`
class captured_output {
public:
  captured_output(std::initializer_list<int> streams)
    : file_{::memfd_create("captured output", 0)} {
    flush();
    for (const auto stream : streams) {
      saved_.push_back({stream, ::dup(stream)});
      ::dup2(file_, stream);
    }
  }

  captured_output(const captured_output&) = delete;
  captured_output& operator=(const captured_output&) = delete;

  ~captured_output() {
    flush();
    for (const auto& one : saved_) {
      ::dup2(one.before, one.stream);
      ::close(one.before);
    }
    ::close(file_);
  }

  /// All that was written until now.
  [[nodiscard]] std::string text() const {
    flush();
    std::string all;
    std::array<char, 4096> part{};
    while (true) {
      const auto got = ::pread(file_, part.data(), part.size(), static_cast<off_t>(all.size()));
      if (got <= 0)
        return all;
      all.append(part.data(), static_cast<std::size_t>(got));
    }
  }

private:
  struct saved {
    int stream;
    int before;
  };

  static void flush() {
    std::cout.flush();
    std::clog.flush();
    std::fflush(nullptr);
  }

  int file_;
  std::vector<saved> saved_;
};

} // namespace replicant::test
