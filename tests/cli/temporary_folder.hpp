// SPDX-License-Identifier: MIT
#pragma once

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace replicant::testing {

/// A folder of its own for a test, removed with everything in it.
class temporary_folder {
public:
  temporary_folder() { REQUIRE(mkdtemp(path_.data()) != nullptr); }

  ~temporary_folder() { std::filesystem::remove_all(path_); }

  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;

  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream{file(name)} << text;
    return file(name);
  }

  [[nodiscard]] std::string read(const std::string& name) const {
    std::ifstream in{file(name)};
    return {std::istreambuf_iterator<char>{in}, std::istreambuf_iterator<char>{}};
  }

private:
  std::string path_ = "/tmp/replicant-cli-XXXXXX";
};

} // namespace replicant::testing
