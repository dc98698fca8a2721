// SPDX-License-Identifier: MIT
#include "replicant/core/delivery/jsonl_names.hpp"
#include "replicant/tests/sinks/rotated_set.hpp"

#include <catch2/catch.hpp>

#include <cerrno>
#include <filesystem>

using namespace replicant;
using namespace replicant::test;

namespace {

const std::vector rotation_steps{failpoint::before_next_file, failpoint::before_archive,
                                 failpoint::before_replacement, failpoint::after_replacement};

/// Goes on where the file says and compares the set with an undisturbed run.
void finish_and_compare_set(const temp_dir& folder, const std::string& path) {
  {
    const auto running = started(rotated(path));
    REQUIRE(deliver_stream(*running.sink, running.checkpoint.durable, [](watermark) {}));
  }
  CHECK(files_of(path).size() > 1);
  CHECK((bodies_of(path) == undisturbed_body(folder)));
  CHECK_FALSE(std::filesystem::exists(path + ".next"));
}

/// The closed files and what they hold.
std::vector<std::pair<std::string, std::string>> closed_files(const std::string& path) {
  std::vector<std::pair<std::string, std::string>> closed;
  for (const auto& file : files_of(path))
    if (file != path)
      closed.emplace_back(file, read_file(file));
  return closed;
}

/// A set with two closed files, and a live one that holds nothing yet.
void make_set(const std::string& path) {
  const auto running = started(rotated(path));
  REQUIRE(deliver(*running.sink, one_row(100)));
  REQUIRE(deliver(*running.sink, one_row(200)));
}

/// A file of which a crash had just made a closed one. @returns its name as such.
std::string make_half_closed(const std::string& path) {
  const auto running = started(path);
  REQUIRE(deliver(*running.sink, one_row(100)));
  const auto closed = archive_path(path, {});
  std::filesystem::create_hard_link(path, closed);
  return closed;
}

void expect_unreadable(const sink_options& options) {
  const auto refused = start_sink(options);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().why == reason::sink_unreadable);
  CHECK(refused.error().facts[0].kind == fact_kind::expected_position);
}

} // namespace

TEST_CASE("a program killed at any step of a rotation loses and doubles nothing", "[sinks][unit]") {
  const auto point = GENERATE(from_range(rotation_steps));
  const auto before = GENERATE(0, 1, 5);
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  REQUIRE(live_until_killed(rotated(path), {.point = point, .visits_before = before}).killed);
  REQUIRE(std::filesystem::exists(path));
  const auto closed = closed_files(path);
  for (const auto& [file, bytes] : closed)
    CHECK(body_of(file).size() > 0);
  finish_and_compare_set(folder, path);
  // What somebody may have taken away already has not changed.
  for (const auto& [file, bytes] : closed)
    CHECK((read_file(file) == bytes));
}

TEST_CASE("a rotating program killed anywhere and again loses and doubles nothing",
          "[sinks][unit]") {
  const auto point = GENERATE(
    failpoint::before_recovery_cut, failpoint::before_write, failpoint::inside_transaction,
    failpoint::before_fsync, failpoint::after_fsync, failpoint::before_next_file,
    failpoint::before_archive, failpoint::before_replacement, failpoint::after_replacement);
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  watermark reported;
  int kills = 0;
  // Up to more than one unit and one rotation need of any point.
  for (int visits = 0; visits < 12; ++visits) {
    const auto life =
      live_until_killed(rotated(path), {.point = point, .visits_before = visits % 6});
    reported.advance(life.reported);
    kills += life.killed ? 1 : 0;
    const auto running = open_sink(path);
    REQUIRE(running);
    REQUIRE(running->checkpoint.durable >= reported);
    REQUIRE((running->checkpoint.state == state_at(running->checkpoint.durable)));
  }
  CHECK(kills >= 1);
  finish_and_compare_set(folder, path);
}

TEST_CASE("a step of a rotation that fails halts and can be cured", "[sinks][unit]") {
  const auto point = GENERATE(from_range(rotation_steps));
  const auto before = GENERATE(0, 1, 5);
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  {
    const auto running = started(rotated(path));
    const failpoint_guard guard{{.point = point, .visits_before = before, .error = ENOSPC}};
    const auto done = deliver_stream(*running.sink, {}, [](watermark) {});
    REQUIRE_FALSE(done);
    CHECK(done.error().why == reason::sink_failed);
    CHECK(errno_of(done.error()) == ENOSPC);
    CHECK_FALSE(running.sink->make_durable());
    CHECK_FALSE(deliver(*running.sink, one_row(5000)));
  }
  finish_and_compare_set(folder, path);
}

TEST_CASE("what stands in the way of a rotation is left alone", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  const auto obstacle = GENERATE(".next", ".0000000000000000");
  const auto running = started(rotated(path));
  write_file(path + obstacle, "dear diary\n");
  const auto done = deliver(*running.sink, one_row(100));
  REQUIRE_FALSE(done);
  CHECK(done.error().why == reason::sink_failed);
  CHECK(errno_of(done.error()) == EEXIST);
  CHECK(read_file(path + obstacle) == "dear diary\n");
  CHECK(body_of(path).find(R"("commit_lsn":"0/64")") != std::string::npos);
}

TEST_CASE("a closed file that a crash left open is closed by the next start", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  const auto closed = make_half_closed(path);
  const auto bytes = read_file(closed);
  {
    const auto opened = open_sink(path);
    REQUIRE(opened);
    CHECK(std::filesystem::equivalent(path, closed)); // Not before the start is judged safe.
  }
  const auto running = started(path); // Though nobody wants rotations any more.
  CHECK(read_file(path) == continued_header("0/64"));
  REQUIRE(deliver(*running.sink, one_row(200)));
  CHECK(read_file(closed) == bytes);
}

TEST_CASE("a hint does not outlive the time when its file has the path", "[sinks][unit]") {
  // By its inode it would be taken for one of whichever file gets that inode next.
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  {
    const auto running = started(path);
    REQUIRE(deliver(*running.sink, one_row(50)));
  }
  REQUIRE(std::filesystem::exists(path + ".synced"));
  SECTION("killed") {
    REQUIRE(live_until_killed(rotated(path), {.point = failpoint::after_replacement}).killed);
  }
  SECTION("failed") {
    const auto running = started(rotated(path));
    const failpoint_guard guard{{.point = failpoint::after_replacement, .error = EIO}};
    CHECK_FALSE(deliver(*running.sink, one_row(100)));
  }
  const auto next = inspect(path);
  REQUIRE(next);
  CHECK(next->start == watermark::through(lsn{100}));
  CHECK_FALSE(std::filesystem::exists(path + ".synced"));
}

TEST_CASE("a closed file that was deleted before it was closed is not missed", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  std::filesystem::remove(make_half_closed(path));
  const auto running = started(path);
  CHECK(running.checkpoint.durable == watermark::through(lsn{100}));
  REQUIRE(deliver(*running.sink, one_row(200)));
  CHECK(body_of(path).find(R"("commit_lsn":"0/64")") != std::string::npos);
  CHECK(body_of(path).find(R"("commit_lsn":"0/C8")") != std::string::npos);
}

TEST_CASE("a next file that never came to its place is removed by who wants to rotate",
          "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  const auto next = path + ".next";
  make_set(path);
  const auto whole = continued_header("0/C8");
  for (const auto& bytes : {whole, whole.substr(0, 50), std::string{}}) {
    write_file(next, bytes);
    {
      const auto opened = open_sink(rotated(path));
      REQUIRE(opened);
      CHECK(std::filesystem::exists(next));
    }
    {
      const auto running = started(path);
      CHECK(read_file(next) == bytes);
    }
    const auto running = started(rotated(path));
    CHECK_FALSE(std::filesystem::exists(next));
  }
}

TEST_CASE("a half-closed file is closed though a next file was left", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  make_half_closed(path);
  write_file(path + ".next", continued_header("0/64"));
  const auto running = started(path);
  CHECK(read_file(path) == continued_header("0/64"));
  CHECK_FALSE(std::filesystem::exists(path + ".next"));
}

TEST_CASE("a next file that may be somebody else's is left alone", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  const auto next = path + ".next";
  make_set(path);
  auto foreign = continued_header("0/C8");
  foreign.replace(foreign.find("shop_orders"), 11, "shop_others");
  for (const auto& bytes :
       {std::string{"dear diary\n"}, foreign, read_file(archive_path(path, {}))}) {
    write_file(next, bytes);
    const auto running = started(rotated(path));
    CHECK(read_file(next) == bytes);
  }
  std::filesystem::remove(next);
  const auto other = jsonl_file::open(next);
  REQUIRE(other);
  const auto running = started(rotated(path));
  CHECK(std::filesystem::exists(next));
}

TEST_CASE("closed files may be moved away or deleted at any time", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  make_set(path);
  std::filesystem::rename(archive_path(path, {}), folder / "elsewhere");
  CHECK(start_sink(path));
  std::filesystem::remove(archive_path(path, watermark::through(lsn{100})));
  const auto running = started(rotated(path));
  CHECK(running.checkpoint.durable == watermark::through(lsn{200}));
  REQUIRE(deliver(*running.sink, one_row(300)));
  CHECK(files_of(path).size() == 2);
}

TEST_CASE("closed files without the one that goes on are refused", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  make_set(path);
  const auto live = read_file(path);
  const auto closed = closed_files(path);

  SECTION("missing") {
    std::filesystem::remove(path);
    expect_unreadable(path);
    expect_unreadable(rotated(path)); // The empty file that was made to be locked proves nothing.
    CHECK(read_file(path).empty());
  }
  SECTION("empty, or torn in its header") {
    for (const auto length : {0, 1, 50}) {
      const auto bytes = live.substr(0, static_cast<std::size_t>(length));
      write_file(path, bytes);
      expect_unreadable(path);
      CHECK(read_file(path) == bytes);
    }
  }
  SECTION("an older one in its place") {
    for (const auto& [file, bytes] : closed) {
      std::filesystem::remove(path);
      std::filesystem::copy_file(file, path);
      expect_unreadable(path);
      CHECK(read_file(path) == bytes);
    }
  }
  SECTION("as old as the newest that is closed") {
    write_file(archive_path(path, watermark::through(lsn{200})), live);
    expect_unreadable(path);
    CHECK(read_file(path) == live);
  }
  for (const auto& [file, bytes] : closed)
    CHECK(read_file(file) == bytes);
}
