// SPDX-License-Identifier: MIT
#include "replicant/core/delivery/stream_control.hpp"
#include "replicant/tests/support/wire_bytes.hpp"

#include <catch2/catch.hpp>

using namespace replicant;
using namespace std::chrono_literals;

namespace {

const moment start{1h};

stream_control make_stream() {
  return {{.max_inflight_bytes = 1U << 20U, .wal_sender_timeout = 60s}, watermark{}, start};
}

void receive(stream_control& stream, std::size_t bytes = 10) {
  REQUIRE(stream.on_frame(data_frame(lsn{200}, std::string(bytes, 'x')), start));
}

/// Passes one chunk on, as it leaves the assembler with `open` bytes that wait for their commit.
std::uint64_t pass_on(stream_control& stream, std::uint64_t open = 0) {
  receive(stream);
  const auto taken = stream.next_chunk(start, false);
  REQUIRE(taken);
  stream.on_assembled(0, open);
  return taken->charge();
}

} // namespace

TEST_CASE("what comes is passed on at once while the sink has nothing to do", "[delivery][unit]") {
  auto stream = make_stream();
  const auto charged = pass_on(stream);
  stream.on_durable(watermark::through(lsn{300}), charged);
  receive(stream);
  CHECK(stream.next_chunk(start, false));
}

TEST_CASE("what comes while the sink is at work is gathered", "[delivery][unit]") {
  auto stream = make_stream();
  const auto charged = pass_on(stream);
  receive(stream);
  CHECK_FALSE(stream.next_chunk(start, false));
  receive(stream);
  CHECK_FALSE(stream.next_chunk(start, false));
  stream.on_durable(watermark::through(lsn{300}), charged);
  const auto gathered = stream.next_chunk(start, false);
  REQUIRE(gathered);
  auto frames = 0;
  gathered->for_each_frame([&](std::string_view) { return ++frames > 0; });
  CHECK(frames == 2);
}

TEST_CASE("nothing is gathered for long", "[delivery][unit]") {
  auto stream = make_stream();
  pass_on(stream);
  REQUIRE(stream.take_status(start));
  receive(stream);
  const auto due = stream.next_deadline();
  CHECK(due > start);
  CHECK(due <= start + 100ms);
  CHECK_FALSE(stream.next_chunk(due - 1ms, false));
  CHECK(stream.next_chunk(due, false));
}

TEST_CASE("a busy stream is passed on in pieces that are worth a message", "[delivery][unit]") {
  auto stream = make_stream();
  const auto charged = pass_on(stream);
  stream.on_durable(watermark::through(lsn{300}), charged);
  receive(stream);
  CHECK_FALSE(stream.next_chunk(start, true));
  CHECK_FALSE(stream.next_chunk(start + 1ms, true));
  SECTION("not for long") {
    CHECK(stream.next_chunk(start + 2ms, true));
  }
  SECTION("not when it no longer flows") {
    CHECK(stream.next_chunk(start + 1ms, false));
  }
  SECTION("not when the piece is full") {
    receive(stream, chunk::target_bytes);
    CHECK(stream.next_chunk(start + 1ms, true));
  }
}

TEST_CASE("a full chunk is passed on though the sink is at work", "[delivery][unit]") {
  auto stream = make_stream();
  pass_on(stream);
  receive(stream, chunk::target_bytes);
  REQUIRE(stream.chunk_full());
  CHECK(stream.next_chunk(start, false));
}

TEST_CASE("the rest of an open transaction is passed on at once", "[delivery][unit]") {
  auto stream = make_stream();
  const auto charged = pass_on(stream, 100);
  stream.on_assembled(charged - 100, 100);
  receive(stream);
  CHECK(stream.next_chunk(start, false));
}

TEST_CASE("what has been gathered is passed on when nothing more is read", "[delivery][unit]") {
  auto stream = make_stream();
  pass_on(stream);
  receive(stream);
  REQUIRE_FALSE(stream.next_chunk(start, false));
  stream.stop_reading();
  CHECK(stream.next_chunk(start, false));
}
