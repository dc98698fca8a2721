// SPDX-License-Identifier: MIT
#include "replicant/tests/support/pg_cluster.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>

namespace replicant::test {

namespace {

constexpr int oldest_supported = 14;

std::string environment(const char* name) {
  const auto* const value = std::getenv(name);
  return value == nullptr ? std::string{} : std::string{value};
}

/// Asks the server in `folder` for its version; nothing when there is none.
std::optional<pg_binaries> look(const std::string& folder) {
  if (folder.empty() || !std::filesystem::exists(folder + "/postgres") ||
      !std::filesystem::exists(folder + "/initdb"))
    return std::nullopt;
  const std::unique_ptr<FILE, int (*)(FILE*)> output{
    ::popen(("'" + folder + "/postgres' --version").c_str(), "r"), &::pclose};
  pg_binaries found{.folder = std::filesystem::canonical(folder), .major = 0};
  if (!output || std::fscanf(output.get(), "postgres (PostgreSQL) %d", &found.major) != 1)
    return std::nullopt;
  return found;
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  std::istringstream input{list};
  for (std::string part; std::getline(input, part, ':');)
    parts.push_back(part);
  return parts;
}

std::vector<pg_binaries> others() {
  std::vector<pg_binaries> found;
  for (const auto& folder : split(environment("REPLICANT_PG_BINS")))
    if (auto one = look(folder))
      found.push_back(*one);
  return found;
}

} // namespace

pg_binaries pg_binaries::main() {
  // initdb on PATH may be a link into the real folder, which holds the rest.
  auto folders = split(environment("PATH"));
  folders.insert(folders.begin(), "/usr/lib/postgresql/15/bin");
  folders.insert(folders.begin(), environment("REPLICANT_PG_BIN"));
  for (const auto& folder : folders)
    if (auto found = look(folder))
      return *found;
  throw std::runtime_error{"no PostgreSQL server found; set REPLICANT_PG_BIN"};
}

std::vector<pg_binaries> pg_binaries::all() {
  std::vector<pg_binaries> found{main()};
  for (const auto& one : others())
    if (one.major >= oldest_supported)
      found.push_back(one);
  for (const auto major : {14, 17, 18})
    if (std::ranges::find(found, major, &pg_binaries::major) == found.end())
      std::cerr << "SKIPPED: PostgreSQL " << major << " is not in REPLICANT_PG_BINS\n";
  return found;
}

std::vector<pg_binaries> pg_binaries::older() {
  auto found = others();
  std::erase_if(found, [](const pg_binaries& one) { return one.major >= oldest_supported; });
  return found;
}

} // namespace replicant::test
