// SPDX-License-Identifier: MIT
#include "replicant/core/delivery/acknowledgement.hpp"

#include <catch2/catch.hpp>

using namespace replicant;
using namespace std::chrono_literals;

namespace {

const moment start{1h};

acknowledgement fresh() {
  return {watermark::through(lsn{100}), 60s, 1, start};
}

keepalive asking(std::uint64_t wal_end) {
  return {.wal_end = lsn{wal_end}, .reply_requested = true};
}

} // namespace

TEST_CASE("only what is durable is confirmed, as the first byte behind it", "[delivery][unit]") {
  auto told = fresh();
  const auto first = told.take_due(start);
  REQUIRE(first);
  CHECK(first->flushed == lsn{101});
  CHECK(first->written == lsn{101});
  CHECK_FALSE(told.take_due(start + 1ms));
  told.on_durable(watermark::through(lsn{200}));
  const auto second = told.take_due(start + 2ms);
  REQUIRE(second);
  CHECK(second->flushed == lsn{201});
}

TEST_CASE("a server that asks is answered at once, even when nothing moved", "[delivery][unit]") {
  auto told = fresh();
  REQUIRE(told.take_due(start));
  told.on_keepalive(asking(500), start + 1ms);
  const auto reply = told.take_due(start + 1ms);
  REQUIRE(reply);
  CHECK(reply->flushed == lsn{101});
}

TEST_CASE(
  "status updates go out by the clock three times per time-out, never rarer than every 10 s",
  "[delivery][unit]") {
  acknowledgement quick{watermark{}, 3s, 1, start};
  REQUIRE(quick.take_due(start));
  CHECK_FALSE(quick.take_due(start + 999ms));
  CHECK(quick.take_due(start + 1s));
  acknowledgement slow{watermark{}, 0s, 1, start};
  REQUIRE(slow.take_due(start));
  CHECK_FALSE(slow.take_due(start + 9s));
  CHECK(slow.take_due(start + 10s));
}

TEST_CASE("a silent server is asked for a sign of life and given up at the limit",
          "[delivery][unit]") {
  acknowledgement told{watermark{}, 3s, 1, start};
  REQUIRE(told.take_due(start));
  const auto ping = told.take_due(start + 1s);
  REQUIRE(ping);
  CHECK(ping->reply_requested);
  CHECK_FALSE(told.silent_too_long(start + 9999ms));
  CHECK(told.silent_too_long(start + 10s) == 10s);
  told.on_frame(start + 10s);
  CHECK_FALSE(told.silent_too_long(start + 11s));
}

TEST_CASE("silence is measured by the server's own time-out, and by our patience",
          "[delivery][unit]") {
  const auto gives_up_after = [](std::chrono::milliseconds timeout, std::uint32_t patience,
                                 std::chrono::milliseconds limit) {
    const acknowledgement told{watermark{}, timeout, patience, start};
    return !told.silent_too_long(start + limit - 1ms) && told.silent_too_long(start + limit);
  };
  CHECK(gives_up_after(30s, 1, 60s));
  CHECK(gives_up_after(30s, 4, 240s));
  CHECK(gives_up_after(0s, 1, 120s));
  CHECK(gives_up_after(1s, 1, 10s));
}

TEST_CASE("silence means nothing while nobody reads", "[delivery][unit]") {
  acknowledgement told{watermark{}, 3s, 1, start};
  told.on_paced(start + 20s);
  CHECK_FALSE(told.silent_too_long(start + 21s));
}

TEST_CASE("a server that keeps asking for what cannot be confirmed wants to shut down",
          "[delivery][unit]") {
  auto told = fresh();
  told.on_keepalive(asking(500), start);
  REQUIRE(told.take_due(start));
  told.on_keepalive(asking(500), start + 10ms);
  REQUIRE(told.take_due(start + 10ms));
  CHECK_FALSE(told.server_waits_in_vain(start + 999ms));
  CHECK(told.next_deadline() <= start + 1s);
  CHECK(told.server_waits_in_vain(start + 1s));
}

TEST_CASE("a question that is answered, or asked once, is no shutdown", "[delivery][unit]") {
  auto once = fresh();
  once.on_keepalive(asking(500), start);
  REQUIRE(once.take_due(start));
  CHECK_FALSE(once.server_waits_in_vain(start + 5s));
  CHECK(once.next_deadline() > start + 5s); // Nothing will change by then: no reason to wake up.

  auto answered = fresh();
  answered.on_keepalive(asking(500), start);
  answered.on_keepalive(asking(500), start + 1ms);
  answered.on_durable(watermark::before(lsn{500}));
  REQUIRE(answered.take_due(start + 2ms));
  CHECK_FALSE(answered.server_waits_in_vain(start + 5s));

  auto moving = fresh();
  moving.on_keepalive(asking(500), start);
  moving.on_keepalive(asking(500), start + 1ms);
  moving.on_keepalive(asking(600), start + 900ms);
  CHECK_FALSE(moving.server_waits_in_vain(start + 1500ms));
}
