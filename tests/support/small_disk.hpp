// SPDX-License-Identifier: MIT
#pragma once

#include <catch2/catch.hpp>
#include <sys/mount.h>

#include <filesystem>
#include <string>

namespace replicant::test {

/// A file system of one megabyte that is gone with the object. Only root can mount one, and not in
/// every container.
class small_disk {
public:
  explicit small_disk(std::string path) : path_{std::move(path)} {
    std::filesystem::create_directory(path_);
    mounted_ = ::mount("tmpfs", path_.c_str(), "tmpfs", 0, "size=1m") == 0;
  }

  small_disk(const small_disk&) = delete;
  small_disk& operator=(const small_disk&) = delete;

  ~small_disk() {
    if (mounted_)
      ::umount2(path_.c_str(), MNT_DETACH);
  }

  [[nodiscard]] bool mounted() const { return mounted_; }

  void grow() const { remount(0, "size=200m"); }

  void refuse_writing() const { remount(MS_RDONLY, ""); }

private:
  void remount(unsigned long flags, const char* options) const {
    REQUIRE(::mount("tmpfs", path_.c_str(), "tmpfs", MS_REMOUNT | flags, options) == 0);
  }

  std::string path_;
  bool mounted_ = false;
};

} // namespace replicant::test
