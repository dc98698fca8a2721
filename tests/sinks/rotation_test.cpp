// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/inspect.hpp"
#include "replicant/actors/sinks/jsonl/sync_hint.hpp"
#include "replicant/tests/sinks/rotated_set.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <catch2/catch.hpp>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <thread>

using namespace replicant;
using namespace replicant::test;
using namespace std::chrono_literals;

TEST_CASE("a full file is closed and the next one goes on where it ends", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  const auto running = started(rotated(path));
  CHECK(files_of(path) == std::vector{path});
  REQUIRE(deliver(*running.sink, one_row(0x100)));
  CHECK(files_of(path) == std::vector{path + ".0000000000000000", path});
  CHECK(read_file(path) == continued_header("0/100"));
  REQUIRE(running.sink->handle_message({.at = lsn{0x200}, .prefix = "p", .content = "c"}));
  REQUIRE(running.sink->make_durable());
  REQUIRE(running.sink->handle_frontier(watermark::before(lsn{0x1'0000'0300})));
  REQUIRE(running.sink->make_durable());
  CHECK(files_of(path) == std::vector{path + ".0000000000000000", path + ".0000000000000100",
                                      path + ".00000000000001FF", path});
  CHECK(read_file(path) == continued_header("1/2FF"));
  CHECK(read_file(path + ".0000000000000000").starts_with(shop_header));
  CHECK(read_file(path + ".00000000000001FF").starts_with(continued_header("0/1FF")));
}

TEST_CASE("a file is closed at its length, between deliveries, and never inside a transaction",
          "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  const auto running = started(rotated(path, 500'000));
  REQUIRE(deliver_stream(*running.sink, {}, [](watermark) {}));
  const auto files = files_of(path);
  CHECK(files.size() == 5); // Two transactions of 300 kB each are more than enough.
  for (const auto& file : files)
    if (file != path)
      CHECK(std::filesystem::file_size(file) >= 500'000);
  CHECK((bodies_of(path) == undisturbed_body(folder)));
}

TEST_CASE("a file is closed when it is old enough, and not before", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  {
    const auto running = started(jsonl_options{.path = path, .rotation = {.interval = 1h}});
    REQUIRE(deliver(*running.sink, one_row(100)));
    CHECK(files_of(path).size() == 1);
  }
  // What was written by an earlier run counts from now.
  const auto running = started(jsonl_options{.path = path, .rotation = {.interval = 1ms}});
  CHECK(wait_until([&] { return running.sink->make_durable() && files_of(path).size() == 2; }));
  std::this_thread::sleep_for(2ms);
  REQUIRE(running.sink->make_durable());
  CHECK(files_of(path).size() == 2); // Old enough again, but there is nothing to close.
}

TEST_CASE("a file that holds no unit is not closed", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  const auto running = started(rotated(path));
  REQUIRE(running.sink->make_durable());
  CHECK(files_of(path).size() == 1);
  REQUIRE(deliver(*running.sink, one_row(100)));
  REQUIRE(running.sink->make_durable());
  REQUIRE(deliver(*running.sink, one_row(100)));
  CHECK(files_of(path).size() == 2);
}

TEST_CASE("a file without rows of its own knows its position", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  {
    const auto running = started(rotated(path));
    REQUIRE(deliver(*running.sink, one_row(100)));
  }
  REQUIRE(read_file(path) == continued_header("0/64"));
  for (const auto* archives : {"there", "moved away"}) {
    if (archives == std::string_view{"moved away"})
      std::filesystem::remove(path + ".0000000000000000");
    INFO(archives);
    const auto running = started(path);
    CHECK(running.checkpoint.memory == sink_memory::position);
    CHECK(running.checkpoint.durable == watermark::through(lsn{100}));
    REQUIRE(deliver(*running.sink, one_row(100)));
    CHECK(read_file(path) == continued_header("0/64"));
  }
  auto other = shop();
  other.slot_name = "shop_order";
  const auto opened = jsonl_sink::open({.path = path});
  REQUIRE(opened);
  const auto known = dynamic_cast<session_sink&>(**opened).handle_session_identity(other);
  REQUIRE_FALSE(known);
  CHECK(known.error().why == reason::session_identity_rejected);
}

TEST_CASE("a position at or below the start of the file is not part of it", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  const auto header = std::string{continued_header("0/64")};
  write_file(path, header + R"({"kind":"progress","lsn":"0/64"})" + "\n");
  CHECK(started(path).checkpoint.durable == watermark::through(lsn{100}));
  CHECK(read_file(path) == header);
}

TEST_CASE("after a rotation the hint tells of the new file", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  const auto hint_of = [&] {
    const auto file = readable_file::open(path);
    REQUIRE(file);
    return read_sync_hint(*file);
  };
  {
    const auto running = started(path);
    REQUIRE(deliver(*running.sink, one_row(100)));
  }
  REQUIRE(hint_of());
  {
    const auto running = started(rotated(path));
    REQUIRE(running.sink->make_durable());
    const auto hint = hint_of();
    REQUIRE(hint);
    CHECK(hint->synced == std::filesystem::file_size(path));
  }
  const auto header_end = std::filesystem::file_size(path);
  {
    const auto running = started(path);
    REQUIRE(deliver(*running.sink, one_row(200)));
  }
  const auto hint = hint_of();
  REQUIRE(hint);
  CHECK(hint->last_unit == header_end);
  CHECK(hint->synced == std::filesystem::file_size(path));
  CHECK(started(path).checkpoint.durable == watermark::through(lsn{200}));
}

TEST_CASE("the next file is as readable as the one before", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  const auto running = started(rotated(path));
  REQUIRE(::chmod(path.c_str(), 0664) == 0);
  REQUIRE(deliver(*running.sink, one_row(100)));
  CHECK(std::filesystem::status(path).permissions() == std::filesystem::perms{0664});
}

TEST_CASE("a path that is a link is refused where it would have to be renamed", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "link.jsonl";
  std::filesystem::create_symlink(folder / "shop.jsonl", path);
  const auto refused = start_sink(rotated(path));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().why == reason::sink_failed);
  CHECK(errno_of(refused.error()) == ELOOP);
  CHECK(start_sink(path));
}

TEST_CASE("a file is locked through its rotations and can be inspected all the while",
          "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  const auto running = started(rotated(path));
  std::atomic<bool> rotating{true};
  std::vector<reason> refusals;
  std::vector<watermark> seen;
  std::jthread intruder{[&] {
    while (rotating) {
      if (const auto opened = jsonl_file::open(path); !opened)
        refusals.push_back(opened.error().why);
      else
        refusals.push_back(reason::crashed);
      if (const auto looked = inspect(path); looked)
        seen.push_back(looked->durable.value_or(watermark{}));
    }
  }};
  for (std::uint64_t commit = 1; commit <= 300; ++commit)
    REQUIRE(deliver(*running.sink, one_row(commit)));
  rotating = false;
  intruder.join();
  CHECK(files_of(path).size() == 301);
  CHECK(refusals.size() > 10);
  CHECK(std::ranges::all_of(refusals, [](auto why) { return why == reason::sink_locked; }));
  CHECK(seen.size() > 10);
  CHECK(std::ranges::is_sorted(seen));
  CHECK(jsonl_file::open(path + ".0000000000000001")); // A closed file is nobody's.
}
