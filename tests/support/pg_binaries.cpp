// SPDX-License-Identifier: MIT
#include "replicant/tests/support/pg_cluster.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
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

} // namespace

pg_binaries pg_binaries::main() {
  // Whoever names a server means that one: another in its place would prove nothing.
  if (const auto named = environment("REPLICANT_PG_BIN"); !named.empty()) {
    if (auto found = look(named))
      return *found;
    throw std::runtime_error{"there is no PostgreSQL server in REPLICANT_PG_BIN"};
  }
  // initdb on PATH may be a link into the real folder, which holds the rest.
  auto folders = split(environment("PATH"));
  folders.insert(folders.begin(), "/usr/lib/postgresql/15/bin");
  for (const auto& folder : folders)
    if (auto found = look(folder))
      return *found;
  throw std::runtime_error{"no PostgreSQL server found; set REPLICANT_PG_BIN"};
}

std::vector<pg_binaries> pg_binaries::older() {
  std::vector<pg_binaries> found;
  for (const auto& folder : split(environment("REPLICANT_PG_BINS")))
    if (const auto one = look(folder); one && one->major < oldest_supported)
      found.push_back(*one);
  return found;
}

} // namespace replicant::test
