// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/accepted_changes.hpp"

#include "replicant/actors/postgres/descriptor.hpp"
#include "replicant/core/model/schema_change.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>

namespace replicant::cli {

namespace {

constexpr mode_t file_mode = 0640;

/// Writes a file whole and makes it durable. @returns the errno, or 0.
int write_durably(const std::string& path, const std::string& text) {
  const auto file = postgres::descriptor::open(path, O_WRONLY | O_CREAT | O_TRUNC, file_mode);
  if (!file)
    return errno;
  errno = ENOSPC; // What a short write means.
  if (::write(file.number(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    return errno;
  return ::fsync(file.number()) == 0 ? 0 : errno;
}

int sync_folder(const std::string& folder) {
  const auto handle = postgres::descriptor::open(folder, O_RDONLY | O_DIRECTORY);
  if (!handle)
    return errno;
  // Some file systems cannot sync a folder, and need not.
  return ::fsync(handle.number()) == 0 || errno == EINVAL ? 0 : errno;
}

} // namespace

tl::expected<std::vector<std::uint64_t>, int>
accepted_changes::read(const std::string& pipeline) const {
  std::vector<std::uint64_t> found;
  errno = 0;
  std::ifstream file{file_of(pipeline)};
  if (!file && errno == ENOENT)
    return found;
  if (!file)
    return tl::unexpected{errno};
  for (std::string line; std::getline(file, line);) {
    const auto fingerprint = parse_fingerprint(line);
    if (!fingerprint)
      return tl::unexpected{EBADMSG};
    found.push_back(*fingerprint);
  }
  return file.eof() ? tl::expected<std::vector<std::uint64_t>, int>{found} : tl::unexpected{EIO};
}

int accepted_changes::add(const std::string& pipeline, std::uint64_t fingerprint) const {
  auto all = read(pipeline);
  if (!all)
    return all.error();
  if (std::ranges::find(*all, fingerprint) == all->end())
    all->push_back(fingerprint);
  std::string text;
  for (const auto one : *all)
    text.append(fingerprint_text(one)).append("\n");
  const auto path = file_of(pipeline);
  const auto fresh = path + ".new";
  if (const auto error = write_durably(fresh, text); error != 0)
    return error;
  if (std::rename(fresh.c_str(), path.c_str()) != 0)
    return errno;
  return sync_folder(folder_);
}

std::string accepted_changes::file_of(const std::string& pipeline) const {
  return folder_ + "/" + pipeline + ".accepted";
}

} // namespace replicant::cli
