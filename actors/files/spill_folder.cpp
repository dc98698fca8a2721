// SPDX-License-Identifier: MIT
#include "replicant/actors/files/spill_folder.hpp"

#include "replicant/actors/files/file_identity.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

namespace replicant {

namespace {

constexpr mode_t folder_mode = 0700;
constexpr mode_t file_mode = 0600;
constexpr mode_t all_rights = 07777;

/// How often somebody may remove a folder that we have just made or opened.
constexpr int most_attempts = 100;

/// Makes one folder, with all rights of its owner whatever the umask. @returns the errno, or 0.
int make_folder(const std::string& path) {
  if (::mkdir(path.c_str(), folder_mode) != 0)
    return errno == EEXIST ? 0 : errno;
  if (::fchmodat(AT_FDCWD, path.c_str(), folder_mode, AT_SYMLINK_NOFOLLOW) == 0)
    return 0;
  // Another program may have taken it at once, and have left: that is for `open` to see.
  return errno == ENOENT ? 0 : errno;
}

/// Makes a folder with its parents. @returns the errno, or 0.
int make_folders(const std::filesystem::path& path) {
  const auto error = make_folder(path.string());
  const auto parent = path.parent_path();
  if (error != ENOENT || parent.empty() || parent == path)
    return error;
  if (const auto above = make_folders(parent); above != 0)
    return above;
  return make_folder(path.string());
}

/// Refuses the folder of somebody else, who could do with it as he likes, and keeps others out of
/// ours. @returns the errno, or 0.
int keep_private(const descriptor& folder) {
  struct stat status {};

  if (::fstat(folder.number(), &status) != 0)
    return errno;
  if (status.st_uid != ::geteuid())
    return EPERM;
  if ((status.st_mode & all_rights) == folder_mode)
    return 0;
  return ::fchmod(folder.number(), folder_mode) == 0 ? 0 : errno;
}

struct folder_closer {
  void operator()(DIR* entries) const { ::closedir(entries); }
};

/// Removes what lies in the folder under a spill file's name. @returns the errno, or 0.
int sweep(const descriptor& folder) {
  auto again = descriptor::duplicate(folder.number());
  const std::unique_ptr<DIR, folder_closer> entries{::fdopendir(again.number())};
  if (!entries)
    return errno;
  static_cast<void>(again.release());
  for (;;) {
    errno = 0;
    const auto* const entry = ::readdir(entries.get());
    if (entry == nullptr)
      return errno;
    const std::string_view name{entry->d_name};
    if (!name.ends_with(spill_suffix) || ::unlinkat(folder.number(), entry->d_name, 0) == 0)
      continue;
    // A folder of such a name is not ours, nor is what has gone by itself.
    if (errno != EISDIR && errno != ENOENT)
      return errno;
  }
}

/// Whether `path` leads to what is open as `handle`.
bool leads_to(const std::string& path, const descriptor& handle) {
  struct stat opened {};

  return ::fstat(handle.number(), &opened) == 0 && identity_at(path) == identity_of(opened);
}

} // namespace

tl::expected<std::shared_ptr<const spill_folder>, int> spill_folder::open(const std::string& path,
                                                                          when_missing missing) {
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    if (missing == when_missing::make)
      if (const auto error = make_folders(path); error != 0)
        return tl::unexpected{error};
    auto handle = descriptor::open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    if (!handle && errno == ENOENT && missing == when_missing::make)
      continue;
    if (!handle)
      return tl::unexpected{errno};
    if (const auto error = keep_private(handle); error != 0)
      return tl::unexpected{error};
    if (::flock(handle.number(), LOCK_EX | LOCK_NB) != 0)
      return tl::unexpected{errno};
    // Whoever had the lock before may have removed the folder with it.
    if (!leads_to(path, handle))
      continue;
    if (const auto error = sweep(handle); error != 0)
      return tl::unexpected{error};
    return std::make_shared<const spill_folder>(path, std::move(handle));
  }
  return tl::unexpected{EWOULDBLOCK};
}

spill_folder::~spill_folder() {
  // Under the lock: whoever waits for it looks whether the folder is still there.
  if (in_place())
    ::rmdir(path_.c_str());
}

tl::expected<descriptor, int> spill_folder::create(const std::string& name) const {
  auto made =
    descriptor::open_at(handle_.number(), name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, file_mode);
  if (!made)
    return tl::unexpected{errno};
  if (::fchmod(made.number(), file_mode) == 0)
    return made;
  const auto error = errno;
  remove(name);
  return tl::unexpected{error};
}

void spill_folder::remove(const std::string& name) const {
  ::unlinkat(handle_.number(), name.c_str(), 0);
}

bool spill_folder::in_place() const {
  return leads_to(path_, handle_);
}

} // namespace replicant
