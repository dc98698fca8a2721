// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/inspect.hpp"
#include "replicant/core/delivery/jsonl_names.hpp"
#include "replicant/tests/sinks/rotated_set.hpp"

#include <catch2/catch.hpp>

#include <cerrno>
#include <filesystem>

using namespace replicant;
using namespace replicant::test;

TEST_CASE("a file can be inspected while it is written", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  const auto opened = open_sink(path);
  REQUIRE(opened);
  auto seen = inspect(path);
  REQUIRE(seen);
  CHECK_FALSE(seen->source);
  CHECK_FALSE(seen->durable);
  CHECK(seen->length == 0);

  REQUIRE(opened->sink->handle_stream_start(stream_start::fresh, shop()));
  seen = inspect(path);
  REQUIRE(seen);
  REQUIRE(seen->source);
  CHECK(seen->source->system_identifier == "7378697629483820647");
  CHECK(seen->source->database == "shop");
  CHECK(seen->source->slot_name == "shop_orders");
  CHECK_FALSE(seen->start);
  CHECK_FALSE(seen->durable);

  REQUIRE(deliver(*opened->sink, one_row(100)));
  seen = inspect(path);
  REQUIRE(seen);
  CHECK(seen->durable == watermark::through(lsn{100}));
  CHECK(seen->length == std::filesystem::file_size(path));
  CHECK(seen->torn == 0);
  CHECK(deliver(*opened->sink, one_row(200)));
}

TEST_CASE("an inspection changes nothing and takes a torn end as it is", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  {
    const auto running = started(path);
    REQUIRE(deliver(*running.sink, one_row(100)));
  }
  const auto whole = std::filesystem::file_size(path);
  const auto torn = read_file(path) + R"({"kind":"begin","xid":7)";
  write_file(path, torn);
  std::filesystem::permissions(path, std::filesystem::perms::owner_read);
  const auto seen = inspect(path);
  REQUIRE(seen);
  CHECK(seen->durable == watermark::through(lsn{100}));
  CHECK(seen->length == whole);
  CHECK(seen->torn == torn.size() - whole);
  CHECK(read_file(path) == torn);
}

TEST_CASE("an inspection tells of the archives in their order", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  write_file(path, continued_header("1/16E3779"));
  for (const auto* suffix : {".00000001016E3778", ".0000000000000000", ".00000000FFFFFFFF"})
    write_file(path + suffix, "");
  for (const auto* suffix : {".00000000ffffffff", ".0", ".0000000000000000.gz", ".synced",
                             "x.0000000000000001", "-0000000000000001", ".00000000000000001"})
    write_file(path + suffix, "");
  std::filesystem::create_hard_link(path, path + ".0000000000000002");
  const auto seen = inspect(path);
  REQUIRE(seen);
  REQUIRE(seen->archives.size() == 3);
  CHECK(seen->archives[0].path == path + ".0000000000000000");
  CHECK(seen->archives[0].start == watermark{});
  CHECK(seen->archives[1].start == watermark::through(lsn{0xFFFF'FFFF}));
  CHECK(seen->archives[2].path == path + ".00000001016E3778");
  CHECK(seen->archives[2].path == archive_path(path, seen->archives[2].start));
}

TEST_CASE("an inspection finds the same fault in a set as who would write it", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  const auto closed = archive_path(path, {});
  {
    const auto running = started(rotated(path));
    REQUIRE(deliver(*running.sink, one_row(100)));
  }
  REQUIRE(inspect(path));
  std::filesystem::remove(path);
  SECTION("the file that goes on is missing") {}
  SECTION("an older one is in its place") {
    std::filesystem::copy_file(closed, path);
  }
  const auto seen = inspect(path);
  const auto opened = jsonl_sink::open({.path = path});
  REQUIRE_FALSE(seen);
  REQUIRE_FALSE(opened);
  CHECK(seen.error().why == reason::sink_unreadable);
  CHECK(seen.error().facts[0].kind == fact_kind::expected_position);
  CHECK(to_string(seen.error()) == to_string(opened.error()));
}

TEST_CASE("what cannot be inspected is said with its reason, and nothing is made",
          "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  auto seen = inspect(path);
  REQUIRE_FALSE(seen);
  CHECK(seen.error().why == reason::sink_unreadable);
  CHECK(errno_of(seen.error()) == ENOENT);
  CHECK_FALSE(std::filesystem::exists(path));

  seen = inspect(folder / ".");
  REQUIRE_FALSE(seen);
  CHECK(errno_of(seen.error()) == EINVAL);

  write_file(path, "dear diary\n");
  seen = inspect(path);
  REQUIRE_FALSE(seen);
  CHECK(seen.error().why == reason::sink_unreadable);
  CHECK(errno_of(seen.error()) == 0);
}
