// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/jsonl_sink.hpp"
#include "replicant/core/telemetry/failpoint.hpp"
#include "replicant/tests/sinks/jsonl_fixture.hpp"

#include <catch2/catch.hpp>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <filesystem>

using namespace replicant;
using namespace replicant::test;

namespace {

/// What the hook does: at the n-th visit of `point` it answers `error`, or ends the process.
struct scheduled_failure {
  failpoint point = failpoint::before_write;
  int visits_before = 0;
  int error = 0;
  bool kill = false;
};

scheduled_failure schedule;

int on_failpoint(failpoint point) {
  if (point != schedule.point || schedule.visits_before-- != 0)
    return 0;
  if (schedule.kill)
    ::_exit(9);
  return schedule.error;
}

class failpoint_guard {
public:
  explicit failpoint_guard(const scheduled_failure& wanted) {
    schedule = wanted;
    set_failpoint_hook(on_failpoint);
  }

  failpoint_guard(const failpoint_guard&) = delete;
  failpoint_guard& operator=(const failpoint_guard&) = delete;

  ~failpoint_guard() { set_failpoint_hook(nullptr); }
};

/// No file of this process may grow beyond a size, as on a full disk.
class file_size_limit {
public:
  explicit file_size_limit(rlim_t bytes) {
    ::signal(SIGXFSZ, SIG_IGN);
    REQUIRE(::getrlimit(RLIMIT_FSIZE, &before_) == 0);
    const rlimit limit{bytes, before_.rlim_max};
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &limit) == 0);
  }

  file_size_limit(const file_size_limit&) = delete;
  file_size_limit& operator=(const file_size_limit&) = delete;

  ~file_size_limit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, SIG_DFL);
  }

private:
  rlimit before_{};
};

/// A stream with small and large transactions, a message and a mark, in this order.
constexpr std::uint64_t last_position = 900;

/// Delivers what is not covered by `from`, one durable step each, and tells of each step.
template <class Durable>
result<void> deliver_stream(jsonl_sink& sink, watermark from, Durable durable) {
  static const std::string large(300 * 1024, 'l');
  for (std::uint64_t at = 100; at <= last_position; at += 100) {
    const auto reached = at == 300   ? watermark::before(lsn{at})
                         : at == 600 ? watermark::before(lsn{at})
                                     : watermark::through(lsn{at});
    if (reached <= from)
      continue;
    result<void> done;
    if (at == 300)
      done = sink.handle_message({.at = lsn{at}, .prefix = "p", .content = "c"});
    else if (at == 600)
      done = sink.handle_frontier(reached);
    else
      done = sink.handle_transaction(transaction_builder{
        lsn{at}}.insert(orders, {text("1"), text(at % 400 == 0 ? large : "small"), null_cell})
                                       .insert(orders, {text("2"), null_cell, text(large)})
                                       .build());
    if (done)
      done = sink.make_durable();
    if (!done)
      return done;
    durable(reached);
  }
  return {};
}

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
  const auto second = jsonl_sink::open(path, std::chrono::milliseconds{0});
  REQUIRE_FALSE(second);
  CHECK(second.error().why == reason::sink_locked);
  CHECK(read_file(path) == "torn by the first, not to be touched by the second");
  write_file(path, shop_header);
  first.reset();
  CHECK(jsonl_sink::open(path, std::chrono::milliseconds{0}));
}

TEST_CASE("what is no regular file in a folder is refused", "[sinks][unit]") {
  const temp_dir folder;
  const auto pipe = folder / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const auto error_of = [](const std::string& path) {
    const auto opened = jsonl_sink::open(path, std::chrono::milliseconds{0});
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
    int pipe_ends[2];
    REQUIRE(::pipe(pipe_ends) == 0);
    const auto child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      // No checks of the test framework here: this process may only end.
      ::close(pipe_ends[0]);
      schedule = {.point = point, .visits_before = visits % 4, .kill = true};
      set_failpoint_hook(on_failpoint);
      const auto running = start_sink(path);
      if (running)
        static_cast<void>(
          deliver_stream(*running->sink, running->checkpoint.durable, [&](watermark reached) {
            const auto value = reached.position().value();
            static_cast<void>(::write(pipe_ends[1], &value, sizeof value) == sizeof value);
          }));
      ::_exit(running ? 0 : 1);
    }
    ::close(pipe_ends[1]);
    std::uint64_t value = 0;
    while (::read(pipe_ends[0], &value, sizeof value) == sizeof value)
      reported.advance(watermark::through(lsn{value}));
    ::close(pipe_ends[0]);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(WIFEXITED(status));
    REQUIRE((WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 9));
    kills += WEXITSTATUS(status) == 9 ? 1 : 0;

    const auto running = open_sink(path);
    REQUIRE(running);
    REQUIRE(running->checkpoint.durable >= reported);
  }
  CHECK(kills >= 1);
  finish_and_compare(folder, path);
}
