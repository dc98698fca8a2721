// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <span>
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

  /// As `open`, of the file `name` in the folder that is open as `folder`.
  [[nodiscard]] static descriptor open_at(int folder, const std::string& name, int flags,
                                          mode_t mode = 0);

  /// A second descriptor of the same open file, closed on exec; none when there are no more.
  [[nodiscard]] static descriptor duplicate(int number);

  [[nodiscard]] int number() const { return number_; }

  /// Owns nothing any more. @returns what it was.
  [[nodiscard]] int release() { return std::exchange(number_, -1); }

  [[nodiscard]] explicit operator bool() const { return number_ >= 0; }

private:
  int number_ = -1;
};

/// Writes all of `bytes`. Waits while a descriptor without blocking has no room: whoever shares it
/// may have made it so.
/// @returns the errno, or 0; EIO for a descriptor that takes nothing. A part may have been taken.
[[nodiscard]] int write_all(int number, std::string_view bytes);

/// How far a call has come, in bytes, and the errno of what ended it; 0 when nothing did.
struct transfer {
  std::size_t size = 0;
  int error = 0;
};

/// Reads from a file at `offset` until `into` is full or the file ends, and leaves the descriptor's
/// own place alone.
[[nodiscard]] transfer read_at(int number, std::uint64_t offset, std::span<char> into);

/// Writes `first` into a file at `offset`, and `second` behind it, in one step where the system
/// takes both at once. It leaves the descriptor's own place alone.
[[nodiscard]] transfer write_at(int number, std::uint64_t offset, std::string_view first,
                                std::string_view second = {});

/// Makes what was written durable. @returns the errno, or 0.
[[nodiscard]] int sync_all(int number);

/// Makes the names in a folder durable, where its file system can and has to do that.
/// @returns the errno, or 0.
[[nodiscard]] int sync_folder(const std::string& folder);

} // namespace replicant
