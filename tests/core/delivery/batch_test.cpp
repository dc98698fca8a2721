// SPDX-License-Identifier: MIT
#include "replicant/core/delivery/batch.hpp"
#include "replicant/tests/support/transaction_builder.hpp"

#include <catch2/catch.hpp>

#include <memory>
#include <utility>
#include <vector>

using namespace replicant;
using namespace std::chrono_literals;

namespace {

const moment start{1h};

/// Bounds that nothing here reaches.
constexpr batch_limits wide{.transactions = 1000, .delay = 1h};

transaction at(std::uint64_t commit) {
  return test::transaction_builder{lsn{commit}}.build();
}

/// A transaction of which a part lies on disk, as far as a batch can tell.
transaction spilled_at(std::uint64_t commit) {
  struct body final : transaction_body {
    [[nodiscard]] std::unique_ptr<event_cursor> open() const override { return nullptr; }

    [[nodiscard]] std::size_t size() const override { return 1; }

    [[nodiscard]] bool spilled() const override { return true; }
  };

  return {7, lsn{commit}, timestamp{}, std::make_shared<body>()};
}

delivery_item message_at(std::uint64_t end) {
  return logical_message{false, lsn{end}, 0, "p", "m"};
}

std::shared_ptr<const delivery> delivery_to(std::uint64_t reached, std::uint64_t bytes,
                                            std::vector<delivery_item> items = {}) {
  delivery content{.items = std::move(items)};
  content.reached = watermark::through(lsn{reached});
  content.charged_bytes = bytes;
  return std::make_shared<const delivery>(std::move(content));
}

/// A delivery of one transaction, as a sink that takes batches is given it.
void add(batch& open, std::uint64_t commit, std::uint64_t bytes = 10, moment now = start) {
  open.hold(at(commit), now);
  open.complete(delivery_to(commit, bytes, {at(commit)}));
}

} // namespace

TEST_CASE("a sink that is durable on return lets nothing wait", "[delivery][unit]") {
  batch open;
  CHECK(open.empty());
  open.complete(delivery_to(200, 10));
  CHECK_FALSE(open.may_wait());
  CHECK_FALSE(open.empty());
  const auto done = open.close();
  CHECK(done.reached == watermark::through(lsn{200}));
  CHECK(done.bytes == 10);
  CHECK(open.empty());
}

TEST_CASE("what waits for a sync is due an interval after the first of it", "[delivery][unit]") {
  batch open{batch_limits::for_syncs(50ms, 1000)};
  open.wait(start);
  open.complete(delivery_to(200, 10));
  CHECK(open.may_wait());
  open.wait(start + 20ms);
  open.complete(delivery_to(300, 10));
  CHECK(open.due() == start + 50ms);
  open.close();
  open.wait(start + 90ms);
  CHECK(open.due() == start + 140ms);
}

TEST_CASE("a batch is full with its last transaction and promises that one", "[delivery][unit]") {
  batch open{{.transactions = 2, .delay = 1h}};
  open.hold(at(200), start);
  CHECK_FALSE(open.full());
  open.hold(at(300), start);
  CHECK(open.full());
  CHECK_FALSE(open.may_wait());
  REQUIRE(open.transactions().size() == 2);
  CHECK(open.transactions()[0].commit_lsn == lsn{200});
  CHECK(open.transactions()[1].commit_lsn == lsn{300});
  const auto done = open.close();
  CHECK(done.reached == watermark::through(lsn{300}));
  CHECK(done.bytes == 0); // The delivery is not through yet.
  CHECK(open.transactions().empty());
}

TEST_CASE("the bytes of a delivery are released when its last transaction is settled",
          "[delivery][unit]") {
  batch open{{.transactions = 2, .delay = 1h}};
  const auto content = delivery_to(400, 700, {at(200), at(300), at(400)});
  open.hold(at(200), start);
  open.hold(at(300), start);
  CHECK(open.close().bytes == 0);
  open.hold(at(400), start);
  open.complete(content);
  CHECK(open.may_wait());
  CHECK(open.close().bytes == 700);
}

TEST_CASE("a full batch is settled before the next transaction, or with its delivery",
          "[delivery][unit]") {
  batch open{{.transactions = 1, .delay = 1h}};
  CHECK_FALSE(open.precedes(at(200)));
  open.hold(at(200), start);
  CHECK(open.precedes(at(300)));
  open.complete(delivery_to(200, 700, {at(200)}));
  CHECK_FALSE(open.may_wait());
  CHECK(open.close().bytes == 700);
}

TEST_CASE("a batch is due a delay after the transaction that opened it", "[delivery][unit]") {
  batch open{{.transactions = 100, .delay = 1s}};
  add(open, 200);
  add(open, 300, 10, start + 900ms);
  CHECK(open.due() == start + 1s);
  open.close();
  add(open, 400, 10, start + 5s);
  CHECK(open.due() == start + 6s);
}

TEST_CASE("a batch is bounded by the WAL since its first transaction", "[delivery][unit]") {
  batch open{{.transactions = 100, .span = 1000, .delay = 1h}};
  SECTION("wherever that begins") {
    add(open, 5'000'000);
    CHECK_FALSE(open.full());
    add(open, 5'000'999);
    CHECK_FALSE(open.full());
    add(open, 5'001'000);
    CHECK(open.full());
  }
  SECTION("which grows by what is not published, too") {
    add(open, 200);
    open.complete(delivery_to(1199, 10));
    CHECK_FALSE(open.full());
    open.complete(delivery_to(1200, 10));
    CHECK(open.full());
  }
  SECTION("and by nothing while no transaction is held") {
    open.complete(delivery_to(200, 10));
    open.close();
    open.complete(delivery_to(50'000, 10));
    CHECK_FALSE(open.full());
  }
}

TEST_CASE("what may wait is a part of the credit, however much a host asks for",
          "[delivery][unit]") {
  const auto limits = batch_limits::for_batches({.max_transactions = 1000, .max_delay = 1min}, 800);
  CHECK(limits.span == 200);
  CHECK(limits.bytes == 400);
  batch open{limits};
  add(open, 200, 399);
  CHECK(open.may_wait());
  add(open, 201, 1);
  CHECK(open.full());
}

TEST_CASE("what stands outside of transactions comes after the batch", "[delivery][unit]") {
  batch open{wide};
  CHECK_FALSE(open.precedes(message_at(150)));
  add(open, 200);
  CHECK(open.precedes(message_at(250)));
  CHECK_FALSE(open.precedes(at(300)));
  open.close();
  CHECK_FALSE(open.precedes(message_at(250)));
}

TEST_CASE("an idle position is held back behind the transactions of a batch", "[delivery][unit]") {
  batch open{wide};
  CHECK_FALSE(open.hold_back(watermark::before(lsn{150})));
  add(open, 200);
  REQUIRE(open.hold_back(watermark::before(lsn{500})));
  open.complete(delivery_to(499, 10));
  CHECK(open.frontier() == watermark::before(lsn{500}));
  SECTION("and promised with them") {
    CHECK(open.close().reached == watermark::before(lsn{500}));
    CHECK_FALSE(open.frontier());
  }
  SECTION("until a later one") {
    REQUIRE(open.hold_back(watermark::before(lsn{600})));
    CHECK(open.frontier() == watermark::before(lsn{600}));
  }
  SECTION("until a transaction tells more") {
    add(open, 700);
    CHECK_FALSE(open.frontier());
    CHECK(open.close().reached == watermark::through(lsn{700}));
  }
}

TEST_CASE("a batch keeps alive the deliveries that its transactions are from", "[delivery][unit]") {
  batch open{wide};
  auto content = delivery_to(200, 10, {at(200)});
  const std::weak_ptr<const delivery> seen = content;
  open.hold(at(200), start);
  open.complete(content);
  content.reset();
  CHECK_FALSE(seen.expired());
  open.close();
  CHECK(seen.expired());
}

TEST_CASE("a transaction that was spilled ends the batch before it, and is one of its own",
          "[delivery][unit]") {
  batch open{wide};
  CHECK_FALSE(open.precedes(spilled_at(200)));
  add(open, 200);
  CHECK_FALSE(open.precedes(at(300)));
  CHECK(open.precedes(spilled_at(300)));
  open.close();
  SECTION("where transactions are held") {
    open.hold(spilled_at(300), start);
  }
  SECTION("where a store follows what was taken") {
    open.take(spilled_at(300), start);
  }
  CHECK(open.full());
  CHECK_FALSE(open.may_wait());
  CHECK(open.precedes(at(400)));
  open.close();
  CHECK_FALSE(open.full());
}
