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
  const auto taken = stream.next_chunk(start);
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
  CHECK(stream.next_chunk(start));
}

TEST_CASE("what comes while the sink is at work is gathered", "[delivery][unit]") {
  auto stream = make_stream();
  const auto charged = pass_on(stream);
  receive(stream);
  CHECK_FALSE(stream.next_chunk(start));
  receive(stream);
  CHECK_FALSE(stream.next_chunk(start));
  stream.on_durable(watermark::through(lsn{300}), charged);
  const auto gathered = stream.next_chunk(start);
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
  CHECK_FALSE(stream.next_chunk(due - 1ms));
  CHECK(stream.next_chunk(due));
}

TEST_CASE("a full chunk is passed on though the sink is at work", "[delivery][unit]") {
  auto stream = make_stream();
  pass_on(stream);
  receive(stream, chunk::target_bytes);
  REQUIRE(stream.chunk_full());
  CHECK(stream.next_chunk(start));
}

TEST_CASE("the rest of an open transaction is passed on at once", "[delivery][unit]") {
  auto stream = make_stream();
  const auto charged = pass_on(stream, 100);
  stream.on_assembled(charged - 100, 100);
  receive(stream);
  CHECK(stream.next_chunk(start));
}

TEST_CASE("what has been gathered is passed on when nothing more is read", "[delivery][unit]") {
  auto stream = make_stream();
  pass_on(stream);
  receive(stream);
  REQUIRE_FALSE(stream.next_chunk(start));
  stream.stop_reading();
  CHECK(stream.next_chunk(start));
}
