// SPDX-License-Identifier: MIT
#include "replicant/actors/postgres/password_file.hpp"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>

namespace replicant::postgres {

namespace {

/// As libpq finds it.
std::string home_folder() {
  if (const auto* home = std::getenv("HOME"); home != nullptr && *home != '\0')
    return home;
  std::array<char, 4096> texts{};
  passwd user{};
  passwd* found = nullptr;
  ::getpwuid_r(::geteuid(), &user, texts.data(), texts.size(), &found);
  return found == nullptr ? std::string{} : found->pw_dir;
}

} // namespace

bool is_unfit_password_file(std::string_view path) {
  const auto file = path.empty() ? home_folder() + "/.pgpass" : std::string{path};

  struct stat found {};

  return ::stat(file.c_str(), &found) == 0 &&
         (!S_ISREG(found.st_mode) || (found.st_mode & (S_IRWXG | S_IRWXO)) != 0);
}

} // namespace replicant::postgres
