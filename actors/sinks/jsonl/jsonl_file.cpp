// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/jsonl_file.hpp"

#include "replicant/core/telemetry/failpoint.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

namespace replicant {

namespace {

/// The rows are somebody's data: not for everybody.
constexpr mode_t file_mode = 0640;

/// @returns the errno, or 0.
int data_sync(int descriptor) {
  // The time of the last change need not be on disk; the length is part of the data.
  while (::fdatasync(descriptor) != 0)
    if (errno != EINTR)
      return errno;
  return 0;
}

} // namespace

result<jsonl_file> jsonl_file::open_and_lock(const std::string& path, int flags) {
  jsonl_file file{path, descriptor::open(path, O_RDWR | flags, file_mode)};
  if (const auto error = file.handle_ ? file.look() : errno; error != 0)
    return failure(file_fault(reason::sink_failed, error, 0));
  if (::flock(file.handle_.number(), LOCK_EX | LOCK_NB) != 0)
    return failure(
      file_fault(errno == EWOULDBLOCK ? reason::sink_locked : reason::sink_failed, errno, 0));
  return file;
}

result<jsonl_file> jsonl_file::open_settled(const std::string& path, int flags) {
  auto opened = open_and_lock(path, flags);
  if (!opened)
    return opened;
  auto& file = *opened;
  // Only now is the length nobody else's to change, and the name might have moved before the lock.
  auto error = file.look();
  if (error == 0)
    error = file.check_path();
  // Whoever put another file there between our steps is at work on it.
  if (error != 0)
    return failure(
      file_fault(error == ESTALE ? reason::sink_locked : reason::sink_failed, error, 0));
  file.synced_ = file.length_;
  return opened;
}

result<jsonl_file> jsonl_file::open(const std::string& path, symbolic_links links) {
  return open_settled(path, O_CREAT | (links == symbolic_links::refused ? O_NOFOLLOW : 0));
}

result<jsonl_file> jsonl_file::open_existing(const std::string& path) {
  return open_settled(path, O_NOFOLLOW);
}

result<jsonl_file> jsonl_file::create_beside(const std::string& path) {
  struct stat status {};

  if (failure_)
    return failure(*failure_);
  if (::fstat(handle_.number(), &status) != 0)
    return give_up(errno);
  auto created = open_and_lock(path, O_CREAT | O_EXCL);
  if (created && ::fchmod(created->handle_.number(), status.st_mode) != 0)
    return created->give_up(errno);
  return created;
}

result<void> jsonl_file::append(std::string_view bytes) {
  if (failure_)
    return failure(*failure_);
  if (const auto error = reach(failpoint::before_write); error != 0)
    return give_up(error);
  const auto put = write_at(handle_.number(), length_, bytes);
  length_ += put.size;
  if (put.error != 0)
    return give_up(put.error);
  return {};
}

result<void> jsonl_file::sync() {
  if (failure_)
    return failure(*failure_);
  auto error = reach(failpoint::before_fsync);
  if (error == 0)
    error = data_sync(handle_.number());
  if (error == 0)
    error = reach(failpoint::after_fsync);
  if (error == 0)
    error = check_path();
  if (error != 0)
    return give_up(error);
  synced_ = length_;
  return {};
}

result<void> jsonl_file::sync_folder() {
  if (failure_)
    return failure(*failure_);
  if (const auto error = replicant::sync_folder(folder_of(path_)); error != 0)
    return give_up(error);
  return {};
}

result<void> jsonl_file::add_name(const std::string& path) {
  if (failure_)
    return failure(*failure_);
  if (::link(path_.c_str(), path.c_str()) == 0)
    return {};
  const auto error = errno;
  if (error == EEXIST && identity_at(path) == identity_)
    return {};
  return give_up(error);
}

result<void> jsonl_file::take_place(const std::string& path) {
  if (failure_)
    return failure(*failure_);
  if (::rename(path_.c_str(), path.c_str()) != 0)
    return give_up(errno);
  path_ = path;
  return {};
}

result<void> jsonl_file::cut(std::uint64_t length) {
  if (failure_)
    return failure(*failure_);
  while (::ftruncate(handle_.number(), static_cast<off_t>(length)) != 0)
    if (errno != EINTR)
      return give_up(errno);
  length_ = length;
  synced_ = std::min(synced_, length);
  return {};
}

tl::unexpected<fault> jsonl_file::give_up(int error) {
  if (!failure_) {
    failure_ = file_fault(reason::sink_failed, error, length_);
    // After a failed sync the kernel takes pages for clean that never reached the disk. The next
    // recovery must not believe them: what is not synced is cut off, the rest is read from disk.
    if (::ftruncate(handle_.number(), static_cast<off_t>(synced_)) == 0)
      length_ = synced_;
    ::posix_fadvise(handle_.number(), 0, 0, POSIX_FADV_DONTNEED);
  }
  return failure(*failure_);
}

int jsonl_file::check_path() const {
  const auto now = identity_at(path_);
  if (!now)
    return errno;
  return *now == identity_ ? 0 : ESTALE;
}

} // namespace replicant
