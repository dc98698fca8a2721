// SPDX-License-Identifier: MIT
#include "replicant/core/delivery/stream_control.hpp"
#include "replicant/tests/support/wire_bytes.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <vector>

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

namespace {

/// A stream whose next chunk leaves no credit.
stream_control make_narrow_stream(slow_sink_policy on_slow_sink) {
  return {{.max_inflight_bytes = 1, .wal_sender_timeout = 60s, .on_slow_sink = on_slow_sink},
          watermark::through(lsn{99}),
          start};
}

} // namespace

TEST_CASE("what waits has to be settled when reading rests, once for what was passed on",
          "[delivery][unit]") {
  auto stream = make_narrow_stream(slow_sink_policy::pace);
  REQUIRE(stream.decide_reading(start));
  CHECK_FALSE(stream.take_settle());
  const auto charged = pass_on(stream);
  REQUIRE_FALSE(stream.decide_reading(start));
  CHECK(stream.take_settle());
  CHECK_FALSE(stream.take_settle());
  // Gathered before reading rested, passed on after.
  receive(stream);
  REQUIRE(stream.next_chunk(start + 1s, false));
  CHECK(stream.take_settle());
  stream.on_durable(watermark::through(lsn{300}), charged);
  CHECK_FALSE(stream.take_settle());
}

TEST_CASE("what waits is left alone while an open transaction alone fills the credit",
          "[delivery][unit]") {
  auto stream = make_narrow_stream(slow_sink_policy::pace);
  receive(stream);
  const auto taken = stream.next_chunk(start, false);
  REQUIRE(taken);
  stream.on_assembled(0, taken->charge());
  REQUIRE(stream.decide_reading(start));
  CHECK_FALSE(stream.take_settle());
}

TEST_CASE("a sink is too slow after a second at the bound, where it is not waited for",
          "[delivery][unit]") {
  auto stream = make_narrow_stream(slow_sink_policy::halt);
  const auto charged = pass_on(stream);
  REQUIRE_FALSE(stream.decide_reading(start));
  REQUIRE(stream.check_patience(start + 999ms));
  SECTION("however often it is looked at") {
    REQUIRE_FALSE(stream.decide_reading(start + 999ms));
    REQUIRE(stream.take_status(start));
    CHECK(stream.next_deadline() <= start + 1s);
    const auto judged = stream.check_patience(start + 1s);
    REQUIRE_FALSE(judged);
    CHECK(judged.error().why == reason::sink_too_slow);
    CHECK(judged.error().at == lsn{99});
  }
  SECTION("not when it has caught up") {
    stream.on_durable(watermark::through(lsn{300}), charged);
    CHECK(stream.check_patience(start + 1s));
  }
  SECTION("not when nothing is read any more") {
    stream.stop_reading();
    CHECK(stream.check_patience(start + 1s));
  }
}

TEST_CASE("a slow sink is waited for as long as it takes, where it is paced", "[delivery][unit]") {
  auto stream = make_narrow_stream(slow_sink_policy::pace);
  pass_on(stream);
  for (auto now = start; now < start + 1h; now += 1s) {
    REQUIRE_FALSE(stream.decide_reading(now));
    REQUIRE(stream.check_patience(now));
  }
}

TEST_CASE("a sink that is behind again and again without catching up is too slow",
          "[delivery][unit]") {
  stream_control stream{{.max_inflight_bytes = 1U << 20U,
                         .wal_sender_timeout = 60s,
                         .on_slow_sink = slow_sink_policy::halt},
                        watermark{},
                        start};
  std::vector<std::uint64_t> passed;
  const auto fill = [&](moment now) {
    while (stream.decide_reading(now)) {
      receive(stream, chunk::target_bytes);
      const auto taken = stream.next_chunk(now, false);
      REQUIRE(taken);
      stream.on_assembled(0, 0);
      passed.push_back(taken->charge());
    }
  };
  fill(start);
  // One chunk becomes durable, and at once the next one takes its place.
  for (auto now = start + 300ms; now < start + 1s; now += 300ms) {
    stream.on_durable(watermark{}, passed.back());
    passed.pop_back();
    fill(now);
    REQUIRE(stream.check_patience(now));
  }
  CHECK_FALSE(stream.check_patience(start + 1s));
}

TEST_CASE("a server that waits for a mark has it at once, whatever is open", "[delivery][unit]") {
  auto stream = make_stream();
  const auto mark = [&stream](std::uint64_t wal_end) {
    REQUIRE(stream.on_frame(keepalive_frame(lsn{wal_end}, true), start));
    return stream.next_chunk(start, false);
  };
  REQUIRE(mark(100));
  stream.on_assembled(stream.in_flight(), 0);
  stream.on_assembled(0, pass_on(stream));
  CHECK(mark(300));
}
