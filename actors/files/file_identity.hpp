// SPDX-License-Identifier: MIT
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string>

namespace replicant {

/// Which file a path named at some moment.
struct file_identity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;

  friend bool operator==(const file_identity&, const file_identity&) = default;
};

[[nodiscard]] inline file_identity identity_of(const struct stat& status) {
  return {status.st_dev, status.st_ino};
}

/// Which file `path` names now, links followed; nothing, with errno set, when that cannot be told.
[[nodiscard]] std::optional<file_identity> identity_at(const std::string& path);

} // namespace replicant
