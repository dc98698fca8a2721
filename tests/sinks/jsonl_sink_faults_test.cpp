// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/jsonl_sink.hpp"
#include "replicant/tests/sinks/failing_life.hpp"
#include "replicant/tests/support/file_size_limit.hpp"

#include <catch2/catch.hpp>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>

using namespace replicant;
using namespace replicant::test;

namespace {

/// The file of a run that nothing disturbed.
std::string undisturbed(const temp_dir& folder) {
  const auto path = folder / "undisturbed.jsonl";
  const auto running = started(path);
  REQUIRE(deliver_stream(*running.sink, {}, [](watermark) {}));
  return read_file(path);
}

/// Goes on where the file says and compares the whole with an undisturbed run.
void finish_and_compare(const temp_dir& folder, const std::string& path) {
  const auto running = started(path);
  REQUIRE(deliver_stream(*running.sink, running.checkpoint.durable, [](watermark) {}));
  CHECK((read_file(path) == undisturbed(folder)));
}

} // namespace

TEST_CASE("a second program is refused and the file untouched", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  auto first = std::make_unique<running_sink>(started(path));
  write_file(path, "torn by the first, not to be touched by the second");
  const auto second = jsonl_sink::open({.path = path});
  REQUIRE_FALSE(second);
  CHECK(second.error().why == reason::sink_locked);
  CHECK(read_file(path) == "torn by the first, not to be touched by the second");
  write_file(path, shop_header);
  first.reset();
  CHECK(jsonl_sink::open({.path = path}));
}

TEST_CASE("what is no regular file in a folder is refused", "[sinks][unit]") {
  const temp_dir folder;
  const auto pipe = folder / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const auto error_of = [](const std::string& path) {
    const auto opened = jsonl_sink::open({.path = path});
    REQUIRE_FALSE(opened);
    CHECK(opened.error().why == reason::sink_failed);
    return errno_of(opened.error());
  };
  CHECK(error_of(folder / "missing/shop.jsonl") == ENOENT);
  CHECK(error_of(folder / ".") == EISDIR);
  CHECK(error_of(pipe) == EINVAL);
  CHECK(error_of("/dev/null") == EINVAL);
  CHECK(error_of("") == ENOENT);
}

TEST_CASE("a failed write or sync keeps what was durable and can be cured", "[sinks][unit]") {
  const auto point = GENERATE(failpoint::before_write, failpoint::inside_transaction,
                              failpoint::before_fsync, failpoint::after_fsync);
  const auto visits = GENERATE(0, 1, 2);
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  std::string durable_bytes;
  {
    const auto running = started(path);
    durable_bytes = read_file(path);
    const failpoint_guard guard{{.point = point, .visits_before = visits, .error = ENOSPC}};
    const auto done =
      deliver_stream(*running.sink, {}, [&](watermark) { durable_bytes = read_file(path); });
    REQUIRE_FALSE(done);
    CHECK(done.error().why == reason::sink_failed);
    CHECK(errno_of(done.error()) == ENOSPC);
    CHECK((read_file(path) == durable_bytes));
    const auto again = running.sink->make_durable();
    REQUIRE_FALSE(again);
    CHECK(again.error().why == reason::sink_failed);
    CHECK_FALSE(deliver(*running.sink, one_row(5000)));
    CHECK((read_file(path) == durable_bytes));
  }
  finish_and_compare(folder, path);
}

TEST_CASE("a full disk keeps what was durable and can be cured", "[sinks][unit]") {
  const auto limit = GENERATE(as<rlim_t>{}, 1000, 100'000, 800'000, 2'000'001);
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  std::string durable_bytes;
  {
    const auto running = started(path);
    durable_bytes = read_file(path);
    const file_size_limit full{limit};
    const auto done =
      deliver_stream(*running.sink, {}, [&](watermark) { durable_bytes = read_file(path); });
    REQUIRE_FALSE(done);
    CHECK(done.error().why == reason::sink_failed);
    CHECK(errno_of(done.error()) == EFBIG);
    CHECK((read_file(path) == durable_bytes));
  }
  finish_and_compare(folder, path);
}

TEST_CASE("a failing start changes nothing", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  {
    const auto running = started(path);
    REQUIRE(deliver(*running.sink, one_row(100)));
  }
  const auto bytes = read_file(path) + "torn";
  write_file(path, bytes);
  const auto point = GENERATE(failpoint::before_fsync, failpoint::before_recovery_cut);
  {
    const failpoint_guard guard{{.point = point, .error = EIO}};
    const auto running = start_sink(path);
    REQUIRE_FALSE(running);
    CHECK(running.error().why == reason::sink_failed);
    CHECK(errno_of(running.error()) == EIO);
  }
  CHECK(read_file(path) == bytes);
  CHECK(start_sink(path));
}

TEST_CASE("a first start that fails leaves the file as good as new", "[sinks][unit]") {
  const auto point = GENERATE(failpoint::before_write, failpoint::before_fsync);
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  {
    const failpoint_guard guard{{.point = point, .error = ENOSPC}};
    const auto running = start_sink(path);
    REQUIRE_FALSE(running);
    CHECK(errno_of(running.error()) == ENOSPC);
  }
  CHECK(read_file(path).empty());
  const auto running = started(path);
  CHECK(running.checkpoint.memory == sink_memory::empty);
  CHECK(read_file(path) == shop_header);
}

TEST_CASE("nothing is durable in a file that lost its name", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  const auto running = started(path);
  REQUIRE(deliver(*running.sink, one_row(100)));
  const auto durable_bytes = read_file(path);
  const auto moved = folder / "moved.jsonl";

  SECTION("moved away") {
    std::filesystem::rename(path, moved);
    const auto done = deliver(*running.sink, one_row(200));
    REQUIRE_FALSE(done);
    CHECK(errno_of(done.error()) == ENOENT);
    CHECK(read_file(moved) == durable_bytes);
  }
  SECTION("replaced") {
    std::filesystem::rename(path, moved);
    std::filesystem::copy_file(moved, path);
    const auto done = deliver(*running.sink, one_row(200));
    REQUIRE_FALSE(done);
    CHECK(errno_of(done.error()) == ESTALE);
    CHECK(read_file(path) == durable_bytes);
    CHECK(read_file(moved) == durable_bytes);
  }
  SECTION("removed, even with nothing new to sync") {
    std::filesystem::remove(path);
    const auto done = running.sink->make_durable();
    REQUIRE_FALSE(done);
    CHECK(done.error().why == reason::sink_failed);
    CHECK(errno_of(done.error()) == ENOENT);
    CHECK_FALSE(std::filesystem::exists(path));
  }
}

TEST_CASE("a program killed anywhere loses and doubles nothing", "[sinks][unit]") {
  const auto point =
    GENERATE(failpoint::before_recovery_cut, failpoint::before_write, failpoint::inside_transaction,
             failpoint::before_fsync, failpoint::after_fsync);
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  watermark reported;
  int kills = 0;
  for (int visits = 0; visits < 12; ++visits) {
    const auto life = live_until_killed(path, {.point = point, .visits_before = visits % 4});
    reported.advance(life.reported);
    kills += life.killed ? 1 : 0;

    const auto running = open_sink(path);
    REQUIRE(running);
    REQUIRE(running->checkpoint.durable >= reported);
  }
  CHECK(kills >= 1);
  finish_and_compare(folder, path);
}
