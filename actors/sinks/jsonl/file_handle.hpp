// SPDX-License-Identifier: MIT
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <string>
#include <utility>

namespace replicant {

/// Owns a file descriptor, or none.
class file_handle {
public:
  file_handle() = default;

  /// Opens `path`; errno tells why when none is owned afterwards. Never passed on to a program that
  /// is executed, never the terminal of ours, and no wait for the other end of a pipe.
  [[nodiscard]] static file_handle open(const std::string& path, int flags, mode_t mode = 0) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
    return file_handle{::open(path.c_str(), flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, mode)};
  }

  file_handle(file_handle&& other) noexcept : descriptor_{std::exchange(other.descriptor_, -1)} {}

  file_handle& operator=(file_handle&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }

  file_handle(const file_handle&) = delete;
  file_handle& operator=(const file_handle&) = delete;

  ~file_handle() {
    if (is_open())
      ::close(descriptor_);
  }

  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }

  [[nodiscard]] int get() const { return descriptor_; }

private:
  explicit file_handle(int descriptor) : descriptor_{descriptor} {}

  int descriptor_ = -1;
};

} // namespace replicant
