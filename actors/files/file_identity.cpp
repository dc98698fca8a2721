// SPDX-License-Identifier: MIT
#include "replicant/actors/files/file_identity.hpp"

namespace replicant {

std::optional<file_identity> identity_at(const std::string& path) {
  struct stat status {};

  if (::stat(path.c_str(), &status) != 0)
    return std::nullopt;
  return identity_of(status);
}

} // namespace replicant
