// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/set_aside.hpp"
#include "replicant/core/delivery/jsonl_names.hpp"
#include "replicant/tests/sinks/rotated_set.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cerrno>
#include <filesystem>

using namespace replicant;
using namespace replicant::test;

namespace {

const std::string suffix = ".before-then";

const session_identity other{.system_identifier = "42", .database = "new", .slot_name = "shop"};

std::vector<std::string> names_in(const temp_dir& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator{folder.path()})
    names.push_back(entry.path().filename());
  std::ranges::sort(names);
  return names;
}

/// A set with two closed files and a live one. @returns what each holds, by its name.
std::map<std::string, std::string> make_set(const temp_dir& folder) {
  {
    const auto running = started(rotated(folder / "shop.jsonl"));
    REQUIRE(deliver(*running.sink, one_row(100)));
    REQUIRE(deliver(*running.sink, one_row(200)));
  }
  std::map<std::string, std::string> held;
  for (const auto& name : names_in(folder))
    if (!name.ends_with(".synced"))
      held[name] = read_file(folder / name);
  return held;
}

void check_begun(const std::string& path, watermark reached) {
  const auto seen = inspect(path);
  REQUIRE(seen);
  CHECK(seen->durable == reached);
  CHECK(seen->torn == 0);
  CHECK(seen->archives.empty());
  REQUIRE(seen->source);
  CHECK(seen->source->system_identifier == "42");
  CHECK(seen->source->database == "new");
}

} // namespace

TEST_CASE("a set is put aside whole, and nothing of it is changed", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  const auto held = make_set(folder);
  const auto moved = set_aside(path, suffix);
  REQUIRE(moved);
  CHECK(moved->size() == held.size());
  CHECK(names_in(folder).size() == held.size());
  for (const auto& [name, bytes] : held)
    CHECK(read_file(folder / (name + suffix)) == bytes);
  // The next writer begins with nothing.
  CHECK(started(path).checkpoint.memory == sink_memory::empty);
  CHECK(set_aside(folder / "none.jsonl", suffix)->empty());
}

TEST_CASE("closed files without the live one are put aside too", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  auto held = make_set(folder);
  REQUIRE(held.erase("shop.jsonl") == 1);
  REQUIRE_FALSE(held.empty());
  std::filesystem::remove(path);
  CHECK(inspect(path).error().why == reason::sink_unreadable);
  const auto moved = set_aside(path, suffix);
  REQUIRE(moved);
  CHECK(moved->size() == held.size());
  for (const auto& [name, bytes] : held)
    CHECK(read_file(folder / (name + suffix)) == bytes);
  CHECK(started(path).checkpoint.memory == sink_memory::empty);
  CHECK(set_aside(folder / "missing/shop.jsonl", suffix)->empty());
}

TEST_CASE("a file begun anew promises what was said, for the source that was said",
          "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  const auto held = make_set(folder);
  const auto reached = watermark::through(lsn{50}); // Below what was held: another server's.
  REQUIRE(begin_anew(path, suffix, other, reached));
  check_begun(path, reached);
  for (const auto& [name, bytes] : held)
    CHECK(read_file(folder / (name + suffix)) == bytes);
  // And where there was nothing.
  REQUIRE(begin_anew(folder / "fresh.jsonl", suffix, other, reached));
  check_begun(folder / "fresh.jsonl", reached);
}

TEST_CASE("what a rotation or a start left half done is put aside too", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  {
    const auto running = started(path);
    REQUIRE(deliver(*running.sink, one_row(100)));
  }
  std::filesystem::create_hard_link(path, archive_path(path, {}));
  write_file(next_path(path), "anything");
  write_file(anew_path(path), "anything");
  REQUIRE(begin_anew(path, suffix, other, watermark::through(lsn{50})));
  check_begun(path, watermark::through(lsn{50}));
  CHECK(read_file(next_path(path) + suffix) == "anything");
  CHECK_FALSE(std::filesystem::exists(anew_path(path)));
  CHECK_FALSE(std::filesystem::exists(next_path(path)));
}

TEST_CASE("what cannot be read can be put aside", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  write_file(path, "nonsense\n");
  REQUIRE(begin_anew(path, suffix, other, watermark::through(lsn{50})));
  check_begun(path, watermark::through(lsn{50}));
  CHECK(read_file(path + suffix) == "nonsense\n");
}

TEST_CASE("a file that is written is not put aside, and no name is taken", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  {
    const auto running = started(path);
    REQUIRE(deliver(*running.sink, one_row(100)));
    CHECK(expect_unlocked(path).error().why == reason::sink_locked);
    CHECK(set_aside(path, suffix).error().why == reason::sink_locked);
    CHECK(begin_anew(path, suffix, other, {}).error().why == reason::sink_locked);
  }
  REQUIRE(std::filesystem::exists(hint_path(path)));
  CHECK(expect_unlocked(path));
  CHECK(expect_unlocked(folder / "none.jsonl"));
  const auto before = read_file(path);
  write_file(path + suffix, "somebody's");
  CHECK(set_aside(path, suffix).error().facts[0].value == EEXIST);
  CHECK(begin_anew(path, suffix, other, {}).error().facts[0].value == EEXIST);
  CHECK(read_file(path) == before);
  CHECK(read_file(path + suffix) == "somebody's");
  CHECK(std::filesystem::exists(hint_path(path)));
  std::filesystem::create_symlink(path, folder / "link.jsonl");
  CHECK(begin_anew(folder / "link.jsonl", suffix, other, {}).error().facts[0].value == ELOOP);
}

TEST_CASE("a failure at any step leaves the old set or the new file, and can be repeated",
          "[sinks][unit]") {
  const auto point =
    GENERATE(failpoint::before_write, failpoint::before_fsync, failpoint::after_fsync,
             failpoint::before_archive, failpoint::before_replacement);
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  make_set(folder);
  const auto reached = watermark::through(lsn{50});
  {
    const failpoint_guard failing{{.point = point, .error = EIO}};
    CHECK(begin_anew(path, suffix, other, reached).error().why == reason::sink_failed);
  }
  const auto between = inspect(path);
  if (point == failpoint::before_replacement) {
    CHECK_FALSE(between);
  } else {
    REQUIRE(between);
    CHECK(between->source->system_identifier != "42");
  }
  REQUIRE(begin_anew(path, suffix + "2", other, reached));
  check_begun(path, reached);
}

TEST_CASE("names of what is put aside tell when", "[sinks][unit]") {
  CHECK(aside_suffix(std::chrono::system_clock::time_point{std::chrono::seconds{1784023200}}) ==
        ".before-20260714T100000Z");
}
