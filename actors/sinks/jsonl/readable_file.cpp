// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/readable_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

namespace replicant {

std::string folder_of(const std::string& path) {
  auto folder = std::filesystem::path{path}.parent_path();
  return folder.empty() ? "." : folder.string();
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
  const auto got = read_at(handle_.number(), offset, into);
  if (got.error != 0)
    return failure(file_fault(reason::sink_unreadable, got.error, offset + got.size));
  return std::string_view{into.data(), got.size};
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
