// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/temporary_folder.hpp"

#include <cstdint>
#include <filesystem>
#include <random>
#include <system_error>

namespace replicant::cli {

namespace {

std::string random_name() {
  std::random_device source;
  std::string name{"replicant-"};
  for (int part = 0; part < 3; ++part)
    name += std::to_string(std::uint32_t{source()});
  return name;
}

} // namespace

temporary_folder::temporary_folder() {
  std::error_code failed;
  const auto parent = std::filesystem::temp_directory_path(failed);
  path_ = ((failed ? "/tmp" : parent) / random_name()).string();
}

temporary_folder::~temporary_folder() {
  remove();
}

void temporary_folder::remove() const {
  std::error_code ignored; // Who ends has nobody left to tell.
  std::filesystem::remove_all(path_, ignored);
}

} // namespace replicant::cli
