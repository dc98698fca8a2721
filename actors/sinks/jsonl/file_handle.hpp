// SPDX-License-Identifier: MIT
#pragma once

#include <unistd.h>

#include <utility>

namespace replicant {

/// Owns a file descriptor, or none.
class file_handle {
public:
  file_handle() = default;

  explicit file_handle(int descriptor) : descriptor_{descriptor} {}

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
  int descriptor_ = -1;
};

} // namespace replicant
