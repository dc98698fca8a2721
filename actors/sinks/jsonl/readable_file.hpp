// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/files/descriptor.hpp"
#include "replicant/actors/files/file_fault.hpp"
#include "replicant/actors/files/file_identity.hpp"
#include "replicant/core/model/result.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace replicant {

/// The folder that holds the name of the file at `path`.
[[nodiscard]] std::string folder_of(const std::string& path);

/// Whether the system has said that there is no such file.
[[nodiscard]] bool is_absence(const fault& what);

/// A regular file of which a part is read whose length is known.
class readable_file {
public:
  /// Opens the file at `path` for reading only: it is neither created nor locked, and what another
  /// program appends after this call is not seen.
  /// @fault sink_unreadable with the errno; EINVAL for what is no regular file.
  [[nodiscard]] static result<readable_file> open(const std::string& path);

  [[nodiscard]] const std::string& path() const { return path_; }

  [[nodiscard]] file_identity identity() const { return identity_; }

  [[nodiscard]] std::uint64_t length() const { return length_; }

  /// Reads what is there at `offset`, up to the size of `into`; less only at the end.
  /// @fault sink_unreadable with the errno.
  [[nodiscard]] result<std::string_view> read(std::uint64_t offset, std::span<char> into) const;

protected:
  readable_file(std::string path, descriptor handle)
    : path_{std::move(path)}, handle_{std::move(handle)} {}

  /// Takes identity and length from the file as it is now.
  /// @returns the errno, EINVAL for what is no regular file, or 0.
  [[nodiscard]] int look();

  std::string path_;
  descriptor handle_;
  file_identity identity_;
  std::uint64_t length_ = 0;
};

} // namespace replicant
