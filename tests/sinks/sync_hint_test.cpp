// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/sync_hint.hpp"
#include "replicant/tests/sinks/jsonl_fixture.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

using namespace replicant;
using namespace replicant::test;

namespace {

/// A file with three transactions, at 100, 200 and 300, and where they end.
struct three_transactions {
  temp_dir folder;
  std::string path = folder / "shop.jsonl";
  std::string hint_path = path + ".synced";
  std::vector<std::uint64_t> ends;

  three_transactions() {
    auto running = started(path);
    ends.push_back(std::filesystem::file_size(path));
    for (const std::uint64_t commit : {100, 200, 300}) {
      REQUIRE(deliver(*running.sink, one_row(commit)));
      ends.push_back(std::filesystem::file_size(path));
    }
  }

  /// What a start finds with the hint given as text.
  [[nodiscard]] result<sink_checkpoint> start_with(const std::string& hint) const {
    write_file(hint_path, hint);
    auto running = open_sink(path);
    if (!running)
      return failure(running.error());
    return running->checkpoint;
  }

  [[nodiscard]] std::string hint(std::uint64_t last_unit, std::uint64_t synced) const {
    const auto file = jsonl_file::open(path);
    REQUIRE(file);
    write_sync_hint(*file, {.last_unit = last_unit, .synced = synced});
    return read_file(hint_path);
  }

  void damage(std::uint64_t at) const {
    auto bytes = read_file(path);
    bytes[at] = static_cast<char>(bytes[at] ^ 0x01);
    write_file(path, bytes);
  }
};

} // namespace

TEST_CASE("an orderly end leaves a hint of what is synced", "[sinks][unit]") {
  const three_transactions file;
  const auto opened = jsonl_file::open(file.path);
  REQUIRE(opened);
  const auto hint = read_sync_hint(*opened);
  REQUIRE(hint);
  CHECK(hint->last_unit == file.ends[2]);
  CHECK(hint->synced == file.ends[3]);
}

TEST_CASE("whatever the hint says, the position is the same", "[sinks][unit]") {
  const three_transactions file;
  const auto good = read_file(file.hint_path);
  auto other_file = good;
  other_file.replace(other_file.find("\"inode\":") + 8, 1, "9");
  const auto size = file.ends[3];
  for (const auto& hint :
       {good, file.hint(file.ends[0], file.ends[1]), file.hint(file.ends[1], file.ends[2]), // old
        file.hint(0, 0), file.hint(0, file.ends[0]), file.hint(0, size), file.hint(size, size),
        file.hint(file.ends[1], size), file.hint(file.ends[2], size + 1),
        file.hint(file.ends[2] + 5, size), file.hint(file.ends[2], size - 5),
        file.hint(size + 5, size), file.hint(file.ends[2] - 1, size), other_file, std::string{},
        std::string(64, '\0'), std::string{"{}"}, good.substr(0, good.size() / 2), good + "x"}) {
    const auto found = file.start_with(hint);
    REQUIRE(found);
    CHECK(found->memory == sink_memory::position);
    CHECK(found->durable == watermark::through(lsn{300}));
  }
  std::filesystem::remove(file.hint_path);
  const auto found = open_sink(file.path);
  REQUIRE(found);
  CHECK(found->checkpoint.durable == watermark::through(lsn{300}));
}

TEST_CASE("damage above the synced part is a torn tail", "[sinks][unit]") {
  const three_transactions file;
  const auto hint = file.hint(file.ends[0], file.ends[1]);
  file.damage(file.ends[1] + 10);
  const auto found = file.start_with(hint);
  REQUIRE(found);
  CHECK(found->durable == watermark::through(lsn{100}));
}

TEST_CASE("damage below the synced part is refused and nothing is cut", "[sinks][unit]") {
  const three_transactions file;
  const auto hint = read_file(file.hint_path);
  file.damage(file.ends[2] + 10);
  const auto bytes = read_file(file.path);
  const auto found = file.start_with(hint);
  REQUIRE_FALSE(found);
  CHECK(found.error().why == reason::sink_unreadable);
  CHECK(found.error().facts[0].kind == fact_kind::file_offset);
  CHECK(found.error().facts[0].value == file.ends[2]);
  CHECK(read_file(file.path) == bytes);
}

TEST_CASE("a recovery reads only what the hint does not vouch for", "[sinks][unit]") {
  // Damage far below the last synced unit is not even looked at, which shows where the walk began.
  const three_transactions file;
  const auto hint = read_file(file.hint_path);
  file.damage(file.ends[0] + 10);
  const auto found = file.start_with(hint);
  REQUIRE(found);
  CHECK(found->durable == watermark::through(lsn{300}));
  std::filesystem::remove(file.hint_path);
  const auto walked = open_sink(file.path);
  REQUIRE(walked);
  CHECK(walked->checkpoint.memory == sink_memory::prepared);
}

TEST_CASE("the hint is renewed while a file grows", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  auto running = started(path);
  const std::string row(1024 * 1024, 'r');
  std::uint64_t commit = 100;
  REQUIRE(deliver(*running.sink, one_row(commit, row)));
  CHECK_FALSE(std::filesystem::exists(path + ".synced"));
  while (std::filesystem::file_size(path) < 17 * row.size())
    REQUIRE(deliver(*running.sink, one_row(++commit, row)));
  CHECK(std::filesystem::exists(path + ".synced"));
  CHECK_FALSE(std::filesystem::exists(path + ".synced.new"));
}

TEST_CASE("a hint that is a link or cannot be replaced is no obstacle", "[sinks][unit]") {
  const three_transactions file;
  std::filesystem::remove(file.hint_path);
  std::filesystem::create_directory(file.hint_path);
  {
    auto running = started(file.path);
    REQUIRE(deliver(*running.sink, one_row(400)));
  }
  CHECK_FALSE(std::filesystem::exists(file.hint_path + ".new"));
  std::filesystem::remove(file.hint_path);
  write_file(file.folder / "elsewhere", "untouched");
  std::filesystem::create_symlink(file.folder / "elsewhere", file.hint_path);
  {
    auto running = started(file.path);
    CHECK(running.checkpoint.durable == watermark::through(lsn{400}));
    REQUIRE(deliver(*running.sink, one_row(500)));
  }
  CHECK(read_file(file.folder / "elsewhere") == "untouched");
  CHECK(std::filesystem::is_regular_file(std::filesystem::symlink_status(file.hint_path)));
}
