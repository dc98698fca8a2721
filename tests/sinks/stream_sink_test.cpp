// SPDX-License-Identifier: MIT
#include "replicant/actors/files/descriptor.hpp"
#include "replicant/actors/sinks/jsonl/stream_sink.hpp"
#include "replicant/tests/sinks/jsonl_fixture.hpp"
#include "replicant/tests/support/file_size_limit.hpp"

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <thread>

using namespace replicant;
using namespace replicant::test;

namespace {

/// A pipe whose reader may be slow or gone.
class byte_pipe {
public:
  explicit byte_pipe(int flags = 0) {
    std::signal(SIGPIPE, SIG_IGN);
    REQUIRE(::pipe2(ends_.data(), O_CLOEXEC | flags) == 0);
  }

  byte_pipe(const byte_pipe&) = delete;
  byte_pipe& operator=(const byte_pipe&) = delete;

  ~byte_pipe() {
    close_reader();
    close_writer();
  }

  void close_reader() { close(ends_[0]); }

  void close_writer() { close(ends_[1]); }

  [[nodiscard]] int writer() const { return ends_[1]; }

  /// Reads in small pieces until the writer's end is closed.
  [[nodiscard]] std::string read_all() const {
    std::string all;
    std::array<char, 4096> piece{};
    for (;;) {
      const auto got = ::read(ends_[0], piece.data(), piece.size());
      if (got < 0 && errno == EAGAIN)
        continue;
      if (got <= 0)
        return all;
      all.append(piece.data(), static_cast<std::size_t>(got));
    }
  }

private:
  static void close(int& end) {
    if (end >= 0)
      ::close(end);
    end = -1;
  }

  std::array<int, 2> ends_{-1, -1};
};

/// Takes some of everything, one transaction larger than a pipe and than a piece.
result<void> write_stream(auto& sink) {
  const std::string large(700'000, 'l');
  auto done = sink.handle_transaction(one_row(100));
  if (done)
    done = sink.handle_message({.at = lsn{200}, .prefix = "p", .content = "c"});
  if (done)
    done = sink.handle_transaction(transaction_builder{lsn{300}}
                                     .insert(orders, {text("1"), text(large), null_cell})
                                     .insert(orders, {text("2"), text(large), null_cell})
                                     .build());
  if (done)
    done = sink.handle_frontier(watermark::before(lsn{400}));
  return done ? sink.make_durable() : done;
}

result<stream_sink> begin_stream(const std::shared_ptr<line_stream>& stream) {
  stream_sink sink{stream};
  if (auto known = sink.handle_session_identity(shop()); !known)
    return failure(known.error());
  CHECK(sink.checkpoint()->memory == sink_memory::none);
  if (auto begun = sink.handle_stream_start(stream_start::fresh, shop()); !begun)
    return failure(begun.error());
  return sink;
}

} // namespace

TEST_CASE("a stream gets the same lines as a file", "[sinks][unit]") {
  const temp_dir folder;
  {
    const auto file = started(folder / "shop.jsonl");
    REQUIRE(write_stream(*file.sink));
  }
  // A descriptor that does not block is waited for all the same.
  byte_pipe pipe{GENERATE(0, O_NONBLOCK)};
  std::string written;
  std::jthread reader{[&] { written = pipe.read_all(); }};
  auto sink = begin_stream(std::make_shared<line_stream>(pipe.writer()));
  REQUIRE(sink);
  REQUIRE(write_stream(*sink));
  pipe.close_writer();
  reader.join();
  CHECK((written == read_file(folder / "shop.jsonl")));
}

TEST_CASE("a stream has one header, over all generations of a pipeline", "[sinks][unit]") {
  byte_pipe pipe;
  const auto stream = std::make_shared<line_stream>(pipe.writer());
  for (const std::uint64_t commit : {100, 200}) {
    auto sink = begin_stream(stream);
    REQUIRE(sink);
    REQUIRE(sink->handle_transaction(one_row(commit)));
    REQUIRE(sink->make_durable());
  }
  auto other = shop();
  other.database = "shop2";
  stream_sink stranger{stream};
  const auto known = stranger.handle_session_identity(other);
  REQUIRE_FALSE(known);
  CHECK(to_string(known.error()) == "session_identity_rejected differs=database");
  pipe.close_writer();
  const auto written = pipe.read_all();
  CHECK(written.starts_with(shop_header));
  CHECK(written.find(R"("kind":"header")", 5) == std::string::npos);
  CHECK(written.find(R"("commit_lsn":"0/C8")") != std::string::npos);
}

TEST_CASE("what was not made durable has not left", "[sinks][unit]") {
  byte_pipe pipe;
  {
    auto sink = begin_stream(std::make_shared<line_stream>(pipe.writer()));
    REQUIRE(sink);
    REQUIRE(sink->handle_transaction(one_row(100)));
  }
  pipe.close_writer();
  CHECK(pipe.read_all() == shop_header);
}

TEST_CASE("a reader that has gone is a failure that stays", "[sinks][unit]") {
  byte_pipe pipe;
  const auto stream = std::make_shared<line_stream>(pipe.writer());
  auto sink = begin_stream(stream);
  REQUIRE(sink);
  pipe.close_reader();
  REQUIRE(sink->handle_transaction(one_row(100)));
  const auto done = sink->make_durable();
  REQUIRE_FALSE(done);
  CHECK(done.error().why == reason::sink_failed);
  CHECK(errno_of(done.error()) == EPIPE);
  CHECK(errno_of(stream->write("more\n").error()) == EPIPE);
}

TEST_CASE("nothing follows a line that was written in part", "[sinks][unit]") {
  // The file may grow to just behind the header.
  const temp_dir folder;
  const auto path = folder / "out";
  const auto file = descriptor::open(path, O_WRONLY | O_CREAT, 0600);
  const auto stream = std::make_shared<line_stream>(file.number());
  {
    const file_size_limit full{shop_header.size() + 10};
    auto sink = begin_stream(stream);
    REQUIRE(sink);
    REQUIRE(sink->handle_transaction(one_row(100)));
    CHECK(errno_of(sink->make_durable().error()) == EFBIG);
  }
  CHECK(std::filesystem::file_size(path) == shop_header.size() + 10);
  auto sink = begin_stream(stream);
  REQUIRE(sink);
  REQUIRE(sink->handle_transaction(one_row(200)));
  CHECK_FALSE(sink->make_durable());
  CHECK(std::filesystem::file_size(path) == shop_header.size() + 10);
}

TEST_CASE("after a row that cannot be written nothing leaves any more", "[sinks][unit]") {
  byte_pipe pipe;
  auto sink = begin_stream(std::make_shared<line_stream>(pipe.writer()));
  REQUIRE(sink);
  const auto done = sink->handle_transaction(
    transaction_builder{lsn{100}}.insert(orders, {text("1"), null_cell}).build());
  REQUIRE_FALSE(done);
  CHECK(done.error().why == reason::decode_failure);
  CHECK(sink->handle_transaction(one_row(200)).error().why == reason::decode_failure);
  CHECK(sink->handle_frontier(watermark::before(lsn{300})).error().why == reason::decode_failure);
  CHECK(sink->make_durable().error().why == reason::decode_failure);
  pipe.close_writer();
  CHECK(pipe.read_all() == shop_header);
}
