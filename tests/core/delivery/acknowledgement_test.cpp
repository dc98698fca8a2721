// SPDX-License-Identifier: MIT
#include "replicant/core/delivery/acknowledgement.hpp"

#include <catch2/catch.hpp>

using namespace replicant;
using namespace std::chrono_literals;

namespace {

const moment start{1h};

acknowledgement fresh() {
  return {watermark::through(lsn{100}), 60s, 120s, start};
}

keepalive asking(std::uint64_t wal_end) {
  return {.wal_end = lsn{wal_end}, .reply_requested = true};
}

} // namespace

TEST_CASE("only what is durable is confirmed, as the first byte behind it", "[delivery][unit]") {
  auto told = fresh();
  const auto first = told.due(start);
  REQUIRE(first);
  CHECK(first->flushed == lsn{101});
  CHECK(first->written == lsn{101});
  CHECK_FALSE(told.due(start + 1ms));
  told.on_durable(watermark::through(lsn{200}));
  const auto second = told.due(start + 2ms);
  REQUIRE(second);
  CHECK(second->flushed == lsn{201});
}

TEST_CASE("a server that asks is answered at once, even when nothing moved", "[delivery][unit]") {
  auto told = fresh();
  REQUIRE(told.due(start));
  told.on_keepalive(asking(500), start + 1ms);
  const auto reply = told.due(start + 1ms);
  REQUIRE(reply);
  CHECK(reply->flushed == lsn{101});
}

TEST_CASE(
  "status updates go out by the clock three times per time-out, never rarer than every 10 s",
  "[delivery][unit]") {
  acknowledgement quick{watermark{}, 3s, 6s, start};
  REQUIRE(quick.due(start));
  CHECK_FALSE(quick.due(start + 999ms));
  CHECK(quick.due(start + 1s));
  acknowledgement slow{watermark{}, 0s, 120s, start};
  REQUIRE(slow.due(start));
  CHECK_FALSE(slow.due(start + 9s));
  CHECK(slow.due(start + 10s));
}

TEST_CASE("a silent server is asked for a sign of life and given up at the limit",
          "[delivery][unit]") {
  acknowledgement told{watermark{}, 3s, 6s, start};
  REQUIRE(told.due(start));
  const auto ping = told.due(start + 1s);
  REQUIRE(ping);
  CHECK(ping->reply_requested);
  CHECK_FALSE(told.silent_too_long(start + 5999ms));
  CHECK(told.silent_too_long(start + 6s) == 6000ms);
  told.on_frame(start + 6s);
  CHECK_FALSE(told.silent_too_long(start + 7s));
}

TEST_CASE("silence means nothing while nobody reads", "[delivery][unit]") {
  acknowledgement told{watermark{}, 3s, 6s, start};
  told.on_paced(start + 10s);
  CHECK_FALSE(told.silent_too_long(start + 11s));
}

TEST_CASE("a server that keeps asking for what cannot be confirmed wants to shut down",
          "[delivery][unit]") {
  auto told = fresh();
  told.on_keepalive(asking(500), start);
  REQUIRE(told.due(start));
  told.on_keepalive(asking(500), start + 10ms);
  REQUIRE(told.due(start + 10ms));
  CHECK_FALSE(told.server_waits_in_vain(start + 999ms));
  CHECK(told.next_deadline() <= start + 1s);
  CHECK(told.server_waits_in_vain(start + 1s));
}

TEST_CASE("a question that is answered, or asked once, is no shutdown", "[delivery][unit]") {
  auto once = fresh();
  once.on_keepalive(asking(500), start);
  REQUIRE(once.due(start));
  CHECK_FALSE(once.server_waits_in_vain(start + 5s));

  auto answered = fresh();
  answered.on_keepalive(asking(500), start);
  answered.on_keepalive(asking(500), start + 1ms);
  answered.on_durable(watermark::before(lsn{500}));
  REQUIRE(answered.due(start + 2ms));
  CHECK_FALSE(answered.server_waits_in_vain(start + 5s));

  auto moving = fresh();
  moving.on_keepalive(asking(500), start);
  moving.on_keepalive(asking(500), start + 1ms);
  moving.on_keepalive(asking(600), start + 900ms);
  CHECK_FALSE(moving.server_waits_in_vain(start + 1500ms));
}
