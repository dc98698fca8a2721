// SPDX-License-Identifier: MIT
#include "replicant/tests/core/assembly/assembler_fixture.hpp"

#include <catch2/catch.hpp>

#include <initializer_list>
#include <string>
#include <vector>

using namespace replicant;
using namespace replicant::test;

namespace {

reason refusal(const std::vector<std::string>& payloads) {
  stream_assembler fold{watermark{}, false};
  const auto made = fold.consume(chunk_of(payloads));
  REQUIRE_FALSE(made);
  CHECK(made.error().at == lsn{7});
  return made.error().why;
}

} // namespace

TEST_CASE("a transaction is delivered at its commit, its events in order under one ordinal",
          "[assembly][unit]") {
  stream_assembler fold{watermark{}, false};
  const auto made = fold.consume(
    chunk_of({begin_payload(lsn{100}, 5), announce(orders), announce(items),
              insert_payload(orders, {"1", "a"}), message_payload(true, lsn{50}, "p", "hello"),
              delete_payload(items, {"9", std::nullopt}), truncate_payload({orders, items}),
              commit_payload(lsn{100})}));
  REQUIRE(made);
  CHECK(told(*made) == std::vector<std::string>{"txn 5 at 100", "0 0 orders 1 a", "1 message hello",
                                                "2 2 items 9 NULL", "3 3 orders", "4 3 items"});
  CHECK(made->reached == watermark::through(lsn{100}));
  CHECK_FALSE(made->frontier);
}

TEST_CASE("the events of a delivery can be walked again from the start", "[assembly][unit]") {
  stream_assembler fold{watermark{}, false};
  const auto made =
    fold.consume(chunk_of({begin_payload(lsn{100}, 5), announce(orders),
                           insert_payload(orders, {"1", "a"}), commit_payload(lsn{100})}));
  REQUIRE(made);
  CHECK(told(*made) == told(*made));
}

TEST_CASE("a transaction over several chunks outlives them and is charged until it is delivered",
          "[assembly][unit]") {
  stream_assembler fold{watermark{}, false};
  auto first =
    chunk_of({begin_payload(lsn{100}, 5), announce(orders), insert_payload(orders, {"1", "a"})});
  const auto first_bytes = first->charge();
  auto made = fold.consume(first);
  REQUIRE(made);
  CHECK(made->empty());
  CHECK(fold.open_bytes() >= insert_payload(orders, {"1", "a"}).size());
  CHECK(made->charged_bytes + fold.open_bytes() == first_bytes);
  std::weak_ptr<const chunk> watched = first;
  first.reset();
  made = result<delivery>{};
  CHECK(watched.expired());

  const auto second = chunk_of({insert_payload(orders, {"2", "b"}), commit_payload(lsn{100})});
  const auto held = fold.open_bytes();
  made = fold.consume(second);
  REQUIRE(made);
  CHECK(told(*made) ==
        std::vector<std::string>{"txn 5 at 100", "0 0 orders 1 a", "1 0 orders 2 b"});
  CHECK(made->charged_bytes == held + second->charge());
  CHECK(fold.open_bytes() == 0);
}

TEST_CASE("a truncate of many tables in an open transaction keeps their list once",
          "[assembly][unit]") {
  stream_assembler fold{watermark{}, false};
  const auto message = truncate_payload(std::vector<std::uint32_t>(200, orders));
  const auto source = chunk_of({begin_payload(lsn{100}, 5), announce(orders), message});
  const auto charged = source->charge();
  auto made = fold.consume(source);
  REQUIRE(made);
  CHECK(fold.open_bytes() < 10 * message.size());
  CHECK(made->charged_bytes + fold.open_bytes() == charged);
  made = fold.consume(chunk_of({insert_payload(orders, {"1", "a"}), commit_payload(lsn{100})}));
  REQUIRE(made);
  const auto lines = told(*made);
  REQUIRE(lines.size() == 202);
  CHECK(lines[1] == "0 3 orders");
  CHECK(lines[200] == "199 3 orders");
  CHECK(lines[201] == "200 0 orders 1 a");
}

TEST_CASE("a row is told with the shape that its table had when it was sent", "[assembly][unit]") {
  stream_assembler fold{watermark{}, false};
  const auto made = fold.consume(
    chunk_of({begin_payload(lsn{100}, 5), announce(orders), insert_payload(orders, {"1", "a"}),
              relation_payload(orders, "renamed", {"id"}), insert_payload(orders, {"2"}),
              commit_payload(lsn{100})}));
  REQUIRE(made);
  CHECK(told(*made) ==
        std::vector<std::string>{
          "changed public.renamed: table_renamed from public.orders, column_dropped note",
          "txn 5 at 100", "0 0 orders 1 a", "1 0 renamed 2"});
}

TEST_CASE("what is durable already is left out, and only that", "[assembly][unit]") {
  stream_assembler fold{watermark::through(lsn{100}), false};
  const auto made = fold.consume(
    chunk_of({begin_payload(lsn{100}, 5), announce(orders), insert_payload(orders, {"1", "a"}),
              commit_payload(lsn{100}), message_payload(false, lsn{101}, "p", "old"),
              begin_payload(lsn{101}, 6), insert_payload(orders, {"2", "b"}),
              commit_payload(lsn{101}), message_payload(false, lsn{150}, "p", "new")}));
  REQUIRE(made);
  CHECK(told(*made) == std::vector<std::string>{"txn 6 at 101", "0 0 orders 2 b", "message new"});
  CHECK(made->reached == watermark::before(lsn{150}));
}

TEST_CASE("an empty transaction moves the frontier and reaches no sink", "[assembly][unit]") {
  stream_assembler fold{watermark{}, false};
  const auto made = fold.consume(chunk_of({begin_payload(lsn{100}, 5), commit_payload(lsn{100})}));
  REQUIRE(made);
  CHECK(made->items.empty());
  CHECK(made->frontier == watermark::through(lsn{100}));
}

TEST_CASE("a message at the end moves the frontier, for a sink that takes none",
          "[assembly][unit]") {
  stream_assembler fold{watermark{}, false};
  const auto made = fold.consume(chunk_of({message_payload(false, lsn{200}, "p", "m")}));
  REQUIRE(made);
  CHECK(made->items.size() == 1);
  CHECK(made->frontier == watermark::before(lsn{200}));
}

TEST_CASE("a mark moves the frontier to just below it, once", "[assembly][unit]") {
  stream_assembler fold{watermark{}, false};
  auto made = fold.consume(chunk_of({}, lsn{500}));
  REQUIRE(made);
  CHECK(made->frontier == watermark::before(lsn{500}));
  made = fold.consume(chunk_of({}, lsn{500}));
  REQUIRE(made);
  CHECK(made->empty());
}

TEST_CASE("a commit that starts exactly at a mark is delivered", "[assembly][unit]") {
  stream_assembler fold{watermark{}, false};
  REQUIRE(fold.consume(chunk_of({}, lsn{500})));
  const auto made =
    fold.consume(chunk_of({begin_payload(lsn{500}, 5), announce(orders),
                           insert_payload(orders, {"1", "a"}), commit_payload(lsn{500})}));
  REQUIRE(made);
  CHECK(transactions_in(*made) == 1);
}

TEST_CASE("a commit that starts exactly where a message's record ends is delivered",
          "[assembly][unit]") {
  stream_assembler fold{watermark{}, false};
  REQUIRE(fold.consume(chunk_of({message_payload(false, lsn{500}, "p", "c")})));
  const auto made =
    fold.consume(chunk_of({begin_payload(lsn{500}, 5), announce(orders),
                           insert_payload(orders, {"1", "a"}), commit_payload(lsn{500})}));
  REQUIRE(made);
  CHECK(transactions_in(*made) == 1);
}

TEST_CASE("a mark inside an open transaction promises nothing", "[assembly][unit]") {
  stream_assembler fold{watermark{}, false};
  const auto made = fold.consume(chunk_of(
    {begin_payload(lsn{100}, 5), announce(orders), insert_payload(orders, {"1", "a"})}, lsn{900}));
  REQUIRE(made);
  CHECK(made->empty());
  const auto rest = fold.consume(chunk_of({commit_payload(lsn{100})}));
  REQUIRE(rest);
  CHECK(rest->reached == watermark::through(lsn{100}));
}

TEST_CASE("a sink without a position is told the origin first", "[assembly][unit]") {
  stream_assembler fold{watermark::before(lsn{500}), true};
  const auto made = fold.consume(chunk_of({}, lsn{500}));
  REQUIRE(made);
  CHECK(made->frontier == watermark::before(lsn{500}));
}

TEST_CASE("what breaks the order of the protocol is a decode failure", "[assembly][unit]") {
  const auto begin = begin_payload(lsn{100}, 5);
  const auto row = insert_payload(orders, {"1", "a"});
  const std::vector<std::vector<std::string>> broken{
    {row},
    {begin, row},
    {begin, announce(orders), insert_payload(orders, {"1"})},
    {begin, announce(orders), delete_payload(orders, {"1", "2", "3"})},
    {begin, begin},
    {begin, commit_payload(lsn{101})},
    {commit_payload(lsn{100})},
    {truncate_payload({orders})},
    {begin, truncate_payload({orders})},
    {message_payload(true, lsn{50}, "p", "c")},
    {begin, message_payload(false, lsn{50}, "p", "c")},
    {"?"},
    {""},
  };
  for (const auto& payloads : broken)
    CHECK(refusal(payloads) == reason::decode_failure);
}

TEST_CASE("a position at or below one already promised fails instead of being skipped",
          "[assembly][unit]") {
  const auto begin_commit = [](std::uint64_t at) {
    return std::vector<std::string>{begin_payload(lsn{at}, 5), commit_payload(lsn{at})};
  };
  for (const auto again : {std::uint64_t{99}, std::uint64_t{100}}) {
    stream_assembler fold{watermark::through(lsn{10}), false};
    REQUIRE(fold.consume(chunk_of(begin_commit(100))));
    CHECK_FALSE(fold.consume(chunk_of(begin_commit(again))));
  }
  stream_assembler fold{watermark::through(lsn{10}), false};
  REQUIRE(fold.consume(chunk_of({}, lsn{100})));
  CHECK_FALSE(fold.consume(chunk_of(begin_commit(99))));
}

TEST_CASE("only data frames may stand in a chunk", "[assembly][unit]") {
  stream_assembler fold{watermark{}, false};
  auto made = std::make_shared<chunk>();
  made->append(keepalive_frame(lsn{5}, false));
  CHECK_FALSE(fold.consume(made));
}
