// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/readable_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

namespace replicant {

namespace {

file_identity identity_of(const struct stat& status) {
  return {status.st_dev, status.st_ino};
}

} // namespace

std::optional<file_identity> identity_at(const std::string& path) {
  struct stat status {};

  if (::stat(path.c_str(), &status) != 0)
    return std::nullopt;
  return identity_of(status);
}

std::string folder_of(const std::string& path) {
  auto folder = std::filesystem::path{path}.parent_path();
  return folder.empty() ? "." : folder.string();
}

fault file_fault(reason why, int error, std::uint64_t offset) {
  return {.why = why,
          .facts = {{{fact_kind::error_number, static_cast<std::uint64_t>(error)},
                     {fact_kind::file_offset, offset}}}};
}

bool is_absence(const fault& what) {
  return find_fact(what, fact_kind::error_number) == std::uint64_t{ENOENT};
}

result<readable_file> readable_file::open(const std::string& path) {
  readable_file file{path, descriptor::open(path, O_RDONLY)};
  if (const auto error = file.handle_ ? file.look() : errno; error != 0)
    return failure(file_fault(reason::sink_unreadable, error, 0));
  return file;
}

result<std::string_view> readable_file::read(std::uint64_t offset, std::span<char> into) const {
  into = into.first(std::min<std::uint64_t>(into.size(), length_ - std::min(length_, offset)));
  std::size_t have = 0;
  while (have < into.size()) {
    const auto got = ::pread(handle_.number(), into.data() + have, into.size() - have,
                             static_cast<off_t>(offset + have));
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return failure(file_fault(reason::sink_unreadable, errno, offset + have));
    if (got == 0)
      break;
    have += static_cast<std::size_t>(got);
  }
  return std::string_view{into.data(), have};
}

int readable_file::look() {
  struct stat status {};

  if (::fstat(handle_.number(), &status) != 0)
    return errno;
  if (!S_ISREG(status.st_mode))
    return EINVAL;
  identity_ = identity_of(status);
  length_ = static_cast<std::uint64_t>(status.st_size);
  return 0;
}

} // namespace replicant
