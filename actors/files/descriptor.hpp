// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <utility>

namespace replicant {

/// Owns a file descriptor; -1 is none.
class descriptor {
public:
  descriptor() = default;

  explicit descriptor(int number) : number_{number} {}

  descriptor(descriptor&& other) noexcept : number_{std::exchange(other.number_, -1)} {}

  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  ~descriptor();

  /// Opens the file at `path`; errno tells why when there is none. Never passed on to a program
  /// that is executed, never the terminal of ours, and no wait for the other end of a pipe.
  [[nodiscard]] static descriptor open(const std::string& path, int flags, mode_t mode = 0);

  /// A second descriptor of the same open file, closed on exec; none when there are no more.
  [[nodiscard]] static descriptor duplicate(int number);

  [[nodiscard]] int number() const { return number_; }

  [[nodiscard]] explicit operator bool() const { return number_ >= 0; }

private:
  int number_ = -1;
};

/// Writes all of `bytes`. Waits while a descriptor without blocking has no room: whoever shares it
/// may have made it so.
/// @returns the errno, or 0; EIO for a descriptor that takes nothing. A part may have been taken.
[[nodiscard]] int write_all(int number, std::string_view bytes);

/// Makes what was written durable. @returns the errno, or 0.
[[nodiscard]] int sync_all(int number);

/// Makes the names in a folder durable, where its file system can and has to do that.
/// @returns the errno, or 0.
[[nodiscard]] int sync_folder(const std::string& folder);

} // namespace replicant
