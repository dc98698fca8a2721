// SPDX-License-Identifier: MIT
#include "replicant/tests/files/spill_place.hpp"
#include "replicant/tests/support/forked_child.hpp"
#include "replicant/tests/support/test_files.hpp"

#include <sys/prctl.h>

#include <cerrno>
#include <filesystem>

using namespace replicant;
using namespace replicant::test;
using std::filesystem::create_directories;

TEST_CASE("nothing is made before the first spill, and nothing is left after the last",
          "[files][unit]") {
  const spill_place place;
  auto area = place.area();
  CHECK_FALSE(exists(place.root / "state"));
  auto file = made(*area, 745, {"a"});
  CHECK(exists(place.file(745)));
  file.reset();
  CHECK_FALSE(exists(place.file(745)));
  CHECK(exists(place.folder()));
  area.reset();
  CHECK_FALSE(exists(place.folder()));
  CHECK(exists(place.dir));
}

TEST_CASE("a killed program leaves its files, and the next one removes them", "[files][unit]") {
  const spill_place place;
  const forked_child program{[&](int parent) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const auto area = place.area();
    const auto file = area->create(745);
    tell(parent, file && (*file)->append("a") ? 'y' : 'n');
    ::pause();
    return 0;
  }};
  REQUIRE(program.hear() == 'y');
  auto area = place.area();
  CHECK(creation_error(*area, 745) == EWOULDBLOCK);
  CHECK(creation_error(*area, 746) == EWOULDBLOCK);
  CHECK(exists(place.file(745)));
  CHECK_FALSE(exists(place.file(746)));
  REQUIRE(program.insist(SIGKILL) == -SIGKILL);

  CHECK(exists(place.file(745)));
  const auto next = place.area();
  CHECK_FALSE(exists(place.file(745)));
  CHECK(creation_error(*area, 746) == EWOULDBLOCK);
  area.reset();
  CHECK(blocks_of(*made(*next, 745, {"b"})) == std::vector<std::string>{"b"});
}

TEST_CASE("who could not have the folder has it when the other has gone", "[files][unit]") {
  const spill_place place;
  auto first = place.area();
  auto file = made(*first, 745, {"a"});
  const auto second = place.area();
  CHECK(creation_error(*second) == EWOULDBLOCK);
  first.reset();
  // A file that is still read keeps it: its name is not to be taken by another stream.
  CHECK(creation_error(*second, 745) == EWOULDBLOCK);
  CHECK(blocks_of(*file) == std::vector<std::string>{"a"});
  file.reset();
  CHECK(blocks_of(*made(*second, 745, {"b"})) == std::vector<std::string>{"b"});
}

TEST_CASE("only the spill files of the own slot are removed", "[files][unit]") {
  const spill_place place;
  auto other_slot = place.identity;
  other_slot.slot_name = "shop";
  auto other_server = place.identity;
  other_server.system_identifier = "1";
  const std::vector<std::string> kept{place.folder() + "/notes",
                                      place.folder() + "/spill",
                                      place.folder() + "/1.spill.gz",
                                      place.folder() + "/folder.spill/1.spill",
                                      place.dir + "/1.spill",
                                      place.dir + "/shop.7378697629483820647/1.spill",
                                      place.dir + "/shop_orders.1/1.spill"};
  create_directories(place.folder() + "/folder.spill");
  create_directories(place.dir + "/shop.7378697629483820647");
  create_directories(place.dir + "/shop_orders.1");
  for (const auto& path : kept)
    write_file(path, "kept");
  write_file(place.root / "elsewhere", "kept");
  std::filesystem::create_symlink(place.root / "elsewhere", place.folder() + "/link.spill");
  for (const std::uint32_t xid : {0U, 3U, 4294967295U})
    write_file(place.file(xid), "left");

  auto area = place.area();
  for (const std::uint32_t xid : {0U, 3U, 4294967295U})
    CHECK_FALSE(exists(place.file(xid)));
  CHECK_FALSE(exists(place.folder() + "/link.spill"));
  static_cast<void>(made(*area, 1, {"a"}));
  area.reset();
  for (const auto& path : kept)
    CHECK(read_file(path) == "kept");
  CHECK(read_file(place.root / "elsewhere") == "kept");
}

TEST_CASE("two slots of one name on two servers spill beside each other", "[files][unit]") {
  const spill_place place;
  spill_place other;
  other.dir = place.dir;
  other.identity.system_identifier = "42";
  const auto one = place.area();
  const auto two = other.area();
  const auto mine = made(*one, 745, {"a"});
  const auto theirs = made(*two, 745, {"b"});
  CHECK(blocks_of(*mine) == std::vector<std::string>{"a"});
  CHECK(blocks_of(*theirs) == std::vector<std::string>{"b"});
  CHECK(one->bytes() == mine->bytes());
}

TEST_CASE("a folder that was removed is made anew for the next file", "[files][unit]") {
  const spill_place place;
  const auto area = place.area();
  const auto before = made(*area, 745, {"a"});
  std::filesystem::remove_all(place.root / "state");
  const auto after = made(*area, 746, {"b"});
  CHECK(exists(place.file(746)));
  CHECK(blocks_of(*before) == std::vector<std::string>{"a"});
  CHECK(area->bytes() == before->bytes() + after->bytes());
}

TEST_CASE("names that would lead elsewhere make no folder", "[files][unit]") {
  spill_place place;
  place.identity.system_identifier = "/../../elsewhere";
  CHECK(creation_error(*place.area()) == EINVAL);
  CHECK_FALSE(exists(place.root / "state"));
  spill_place nameless;
  nameless.identity.slot_name.clear();
  CHECK(creation_error(*nameless.area()) == EINVAL);
  spill_place nowhere;
  nowhere.dir.clear();
  CHECK(creation_error(*nowhere.area()) == EINVAL);
}

TEST_CASE("programs that come and go at the same time have the folder one after another",
          "[files][unit]") {
  const spill_place place;
  constexpr int turns = 50;
  const auto come_and_go = [&](int /*parent*/) {
    for (int had = 0; had < turns;) {
      const auto area = place.area();
      const auto file = area->create(745);
      if (file) {
        ++had;
        if (!(*file)->append("mine") || !exists(place.file(745)))
          return 255;
      } else if (const auto error = find_fact(file.error(), fact_kind::error_number);
                 error != std::uint64_t{EWOULDBLOCK})
        return static_cast<int>(*error);
    }
    return 0;
  };
  const forked_child one{come_and_go};
  const forked_child two{come_and_go};
  const forked_child three{come_and_go};
  CHECK(one.wait() == 0);
  CHECK(two.wait() == 0);
  CHECK(three.wait() == 0);
  CHECK_FALSE(exists(place.folder()));
}
