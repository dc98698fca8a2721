// SPDX-License-Identifier: MIT
#include "replicant/tests/files/spill_place.hpp"
#include "replicant/tests/support/test_files.hpp"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <iostream>

using namespace replicant;
using namespace replicant::test;
using std::filesystem::create_directories;

namespace {

constexpr uid_t nobody = 65534;

class umask_guard {
public:
  explicit umask_guard(mode_t mask) : before_{::umask(mask)} {}

  umask_guard(const umask_guard&) = delete;
  umask_guard& operator=(const umask_guard&) = delete;

  ~umask_guard() { ::umask(before_); }

private:
  mode_t before_;
};

/// Whoever is root is somebody else meanwhile, since root may do everything.
class without_rights {
public:
  without_rights() : before_{::geteuid()} {
    if (before_ == 0)
      REQUIRE(::seteuid(nobody) == 0);
  }

  without_rights(const without_rights&) = delete;
  without_rights& operator=(const without_rights&) = delete;

  ~without_rights() {
    if (::seteuid(before_) != 0)
      std::abort();
  }

private:
  uid_t before_;
};

} // namespace

TEST_CASE("only the owner may look at what is spilled, whatever the umask", "[files][unit]") {
  const auto mask = GENERATE(0U, 022U, 077U, 0777U);
  const spill_place place;
  const umask_guard guard{mask};
  const auto area = place.area();
  const auto file = made(*area, 745, {"a"});
  CHECK(rights_of(place.root / "state") == 0700U);
  CHECK(rights_of(place.dir) == 0700U);
  CHECK(rights_of(place.folder()) == 0700U);
  CHECK(rights_of(place.file(745)) == 0600U);
}

TEST_CASE("the rights of a folder that is there are narrowed, those of its parents kept",
          "[files][unit]") {
  const auto rights = GENERATE(0755U, 0777U, 01777U, 0750U, 0500U);
  const spill_place place;
  create_directories(place.folder());
  REQUIRE(::chmod(place.dir.c_str(), 0755) == 0);
  REQUIRE(::chmod(place.folder().c_str(), rights) == 0);
  const auto area = place.area();
  static_cast<void>(made(*area, 745, {"a"}));
  CHECK(rights_of(place.folder()) == 0700U);
  CHECK(rights_of(place.dir) == 0755U);
}

TEST_CASE("a folder that another user owns is refused and left as it is", "[files][unit]") {
  if (::geteuid() != 0) {
    WARN("SKIPPED: only root can give a folder away");
    return;
  }
  const spill_place place;
  create_directories(place.folder());
  write_file(place.file(3), "theirs");
  REQUIRE(::chmod(place.folder().c_str(), 0777) == 0);
  REQUIRE(::chown(place.folder().c_str(), nobody, nobody) == 0);
  auto area = place.area();
  CHECK(creation_error(*area) == EPERM);
  area.reset();
  CHECK(read_file(place.file(3)) == "theirs");
  CHECK(rights_of(place.folder()) == 0777U);
}

TEST_CASE("where this user may not write, nothing is spilled", "[files][unit]") {
  const spill_place place;
  create_directories(place.dir);
  REQUIRE(::chmod(place.dir.c_str(), 0555) == 0);
  {
    const without_rights guard;
    CHECK(creation_error(*place.area()) == EACCES);
  }
  CHECK_FALSE(exists(place.folder()));
}

TEST_CASE("a file in the place of a folder is refused", "[files][unit]") {
  const spill_place place;
  create_directories(place.dir);
  write_file(place.folder(), "kept");
  CHECK(creation_error(*place.area()) == ENOTDIR);
  CHECK(read_file(place.folder()) == "kept");

  const spill_place below;
  write_file(below.root / "state", "kept");
  CHECK(creation_error(*below.area()) == ENOTDIR);
  CHECK(read_file(below.root / "state") == "kept");
}

TEST_CASE("a link in the place of the folder or of a file is not followed", "[files][unit]") {
  const spill_place place;
  const auto elsewhere = place.root / "elsewhere";
  create_directories(place.dir);
  create_directories(elsewhere);
  write_file(elsewhere + "/1.spill", "kept");
  std::filesystem::create_directory_symlink(elsewhere, place.folder());
  const auto refused = creation_error(*place.area());
  CHECK((refused == ELOOP || refused == ENOTDIR));
  CHECK(read_file(elsewhere + "/1.spill") == "kept");

  std::filesystem::remove(place.folder());
  const auto area = place.area();
  const auto first = made(*area, 745, {"a"});
  std::filesystem::create_symlink(elsewhere + "/1.spill", place.file(746));
  std::filesystem::create_symlink(elsewhere + "/none", place.file(747));
  CHECK(creation_error(*area, 746) == EEXIST);
  CHECK(creation_error(*area, 747) == EEXIST);
  CHECK(read_file(elsewhere + "/1.spill") == "kept");
  CHECK_FALSE(exists(elsewhere + "/none"));
}
