// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace replicant::test {

/// A folder of its own for one test, readable by every user, removed with all it holds.
class temp_dir {
public:
  temp_dir() {
    auto name = (std::filesystem::temp_directory_path() / "replicant-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw std::runtime_error{"cannot make a temporary folder"};
    path_ = name;
    std::filesystem::permissions(path_, std::filesystem::perms{0755});
  }

  temp_dir(const temp_dir&) = delete;
  temp_dir& operator=(const temp_dir&) = delete;

  ~temp_dir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// A path inside of it.
  [[nodiscard]] std::string operator/(std::string_view name) const {
    return (path_ / name).string();
  }

private:
  std::filesystem::path path_;
};

} // namespace replicant::test
