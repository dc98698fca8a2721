// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/durable_file.hpp"

#include "replicant/actors/files/descriptor.hpp"

#include <fcntl.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>

namespace replicant::cli {

namespace {

constexpr mode_t file_mode = 0640;

/// @returns the errno, or 0.
int write_durably(const std::string& path, std::string_view text) {
  const auto file = descriptor::open(path, O_WRONLY | O_CREAT | O_TRUNC, file_mode);
  if (!file)
    return errno;
  if (const auto error = write_all(file.number(), text); error != 0)
    return error;
  return sync_all(file.number());
}

} // namespace

int replace_durably(const std::string& path, std::string_view text) {
  const auto fresh = path + ".new";
  if (const auto error = write_durably(fresh, text); error != 0)
    return error;
  if (std::rename(fresh.c_str(), path.c_str()) != 0)
    return errno;
  return sync_folder(std::filesystem::path{path}.parent_path().string());
}

} // namespace replicant::cli
