// SPDX-License-Identifier: MIT
#include "replicant/tests/core/assembly/assembler_fixture.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace replicant;
using namespace replicant::test;

namespace {

using payloads = std::vector<std::string>;

const open_rules streamed{.dialect = {.streaming = true}};

/// A segment of `top` with what is in it, each as `in_segment` makes it.
payloads segment(std::uint32_t top, bool first, const payloads& content) {
  payloads all{stream_start_payload(top, first)};
  all.insert(all.end(), content.begin(), content.end());
  all.push_back(stream_stop_payload());
  return all;
}

std::string row(std::uint32_t xid, const std::string& id, std::uint32_t oid = orders) {
  return in_segment(xid, insert_payload(oid, {id, "x"}));
}

std::string table(std::uint32_t xid, std::uint32_t oid = orders) {
  return in_segment(xid, announce(oid));
}

payloads operator+(payloads left, const payloads& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

/// What is told of all payloads together, and of each alone in a chunk: it has to be the same.
payloads told_of(const payloads& all, const open_rules& rules = streamed) {
  stream_assembler together{watermark{}, false, {}, rules};
  const auto made = together.consume(chunk_of(all));
  REQUIRE(made);
  const auto lines = told(*made);
  stream_assembler apart{watermark{}, false, {}, rules};
  payloads one_by_one;
  for (const auto& one : all) {
    const auto part = apart.consume(chunk_of({one}));
    REQUIRE(part);
    one_by_one = std::move(one_by_one) + told(*part);
  }
  CHECK(one_by_one == lines);
  CHECK(apart.open_bytes() == 0);
  return lines;
}

reason refusal(const payloads& all, const open_rules& rules = streamed) {
  stream_assembler fold{watermark{}, false, {}, rules};
  const auto made = fold.consume(chunk_of(all));
  REQUIRE_FALSE(made);
  CHECK(made.error().at == lsn{7});
  return made.error().why;
}

} // namespace

TEST_CASE("a transaction that came in segments is delivered once, at its commit",
          "[assembly][unit]") {
  CHECK(told_of(segment(5, true, {table(5), row(5, "1")}) + segment(5, false, {row(5, "2")}) +
                payloads{stream_commit_payload(5, lsn{100})}) ==
        payloads{"txn 5 at 100", "0 0 orders 1 x", "1 0 orders 2 x"});
}

TEST_CASE("segments of several transactions alternate with whole ones, delivered by their commits",
          "[assembly][unit]") {
  const payloads whole{begin_payload(lsn{90}, 7), announce(orders),
                       insert_payload(orders, {"7", "y"}), commit_payload(lsn{90})};
  CHECK(told_of(segment(5, true, {table(5), row(5, "1")}) +
                segment(6, true, {table(6), row(6, "a")}) + whole +
                segment(5, false, {row(5, "2")}) + payloads{stream_commit_payload(6, lsn{100})} +
                segment(5, false, {row(5, "3")}) + payloads{stream_commit_payload(5, lsn{110})}) ==
        payloads{"txn 7 at 90", "0 0 orders 7 y", "txn 6 at 100", "0 0 orders a x", "txn 5 at 110",
                 "0 0 orders 1 x", "1 0 orders 2 x", "2 0 orders 3 x"});
}

TEST_CASE("a subtransaction that is rolled back takes its rows with it and nothing else",
          "[assembly][unit]") {
  // 51 and 52 stand in one segment with their parent; 53 lies inside of 52.
  const auto lines =
    told_of(segment(5, true,
                    {table(5), row(5, "1"), row(51, "2"), row(5, "3"), row(52, "4"), row(53, "5"),
                     row(51, "6")}) +
            payloads{stream_abort_payload(5, 53), stream_abort_payload(5, 52)} +
            segment(5, false, {row(51, "7"), row(5, "8"), row(54, "9")}) +
            payloads{stream_abort_payload(5, 54), stream_commit_payload(5, lsn{100})});
  CHECK(lines == payloads{"txn 5 at 100", "0 0 orders 1 x", "1 0 orders 2 x", "2 0 orders 3 x",
                          "3 0 orders 6 x", "4 0 orders 7 x", "5 0 orders 8 x"});
}

TEST_CASE("an abort of a subtransaction without a published row changes nothing",
          "[assembly][unit]") {
  CHECK(told_of(segment(5, true, {table(5), row(5, "1")}) +
                payloads{stream_abort_payload(5, 99), stream_commit_payload(5, lsn{100})}) ==
        payloads{"txn 5 at 100", "0 0 orders 1 x"});
}

TEST_CASE("a transaction that is rolled back is never told", "[assembly][unit]") {
  stream_assembler fold{watermark{}, false, {}, streamed};
  const auto made =
    fold.consume(chunk_of(segment(5, true, {table(5), row(5, "1"), row(51, "2")}) +
                          segment(6, true, {table(6), row(6, "a")}) +
                          payloads{stream_abort_payload(5, 51), stream_abort_payload(5, 5),
                                   stream_commit_payload(6, lsn{100})}));
  REQUIRE(made);
  CHECK(told(*made) == payloads{"txn 6 at 100", "0 0 orders a x"});
  const auto news = fold.take_news();
  CHECK(news.rolled_back == 1);
  CHECK(news.streamed == 1);
  CHECK(news.transactions == 1);
  CHECK(fold.open_transactions() == 0);
}

TEST_CASE("of which nothing is left moves the frontier and reaches no sink", "[assembly][unit]") {
  const auto content = GENERATE(as<payloads>{}, payloads{}, payloads{table(51), row(51, "1")});
  stream_assembler fold{watermark{}, false, {}, streamed};
  const auto made = fold.consume(
    chunk_of(segment(5, true, content) +
             payloads{stream_abort_payload(5, 51), stream_commit_payload(5, lsn{100})}));
  REQUIRE(made);
  CHECK(made->items.empty());
  CHECK(made->frontier == watermark::through(lsn{100}));
  CHECK(made->reached == watermark::through(lsn{100}));
}

TEST_CASE("one that is nothing but a message is told", "[assembly][unit]") {
  CHECK(told_of(segment(5, true, {in_segment(5, message_payload(true, lsn{50}, "p", "hello"))}) +
                payloads{stream_commit_payload(5, lsn{100})}) ==
        payloads{"txn 5 at 100", "0 message hello"});
}

TEST_CASE("which messages went with a part that is rolled back is not guessed",
          "[assembly][unit]") {
  const auto message = in_segment(5, message_payload(true, lsn{50}, "p", "perhaps gone"));
  const auto part = GENERATE(51U, 99U); // Of the latter nothing came but perhaps the message.
  CHECK(refusal(segment(5, true, {table(5), row(51, "1"), message}) +
                payloads{stream_abort_payload(5, part)}) == reason::rollback_undecided);
  CHECK(told_of(segment(5, true, {table(5), row(51, "1")}) +
                payloads{stream_abort_payload(5, part)} + segment(5, false, {message}) +
                segment(6, true, {}) + payloads{stream_abort_payload(6, 61)} +
                payloads{stream_commit_payload(5, lsn{100})})
          .back() == (part == 51 ? "0 message perhaps gone" : "1 message perhaps gone"));
  CHECK(told_of(segment(5, true, {message}) + payloads{stream_abort_payload(5, 5)}).empty());
}

TEST_CASE("a message outside of transactions passes between segments at once", "[assembly][unit]") {
  CHECK(told_of(segment(5, true, {table(5), row(5, "1")}) +
                payloads{message_payload(false, lsn{60}, "p", "now")} +
                segment(5, false, {row(5, "2")}) + payloads{stream_commit_payload(5, lsn{100})}) ==
        payloads{"message now", "txn 5 at 100", "0 0 orders 1 x", "1 0 orders 2 x"});
}

TEST_CASE("a truncate in a segment is told table by table, and is rolled back like a row",
          "[assembly][unit]") {
  CHECK(told_of(segment(5, true,
                        {table(5), table(5, items), row(5, "1"),
                         in_segment(5, truncate_payload({orders, items})),
                         in_segment(51, truncate_payload({items}))}) +
                payloads{stream_abort_payload(5, 51), stream_commit_payload(5, lsn{100})}) ==
        payloads{"txn 5 at 100", "0 0 orders 1 x", "1 3 orders", "2 3 items"});
}

TEST_CASE("an origin and a type in a segment are passed over", "[assembly][unit]") {
  const auto origin = wire_bytes{}.u8('O').u64(5).text("elsewhere").str();
  const auto type = in_segment(5, wire_bytes{}.u8('Y').u32(9).text("public").text("e").str());
  CHECK(told_of(segment(5, true, {origin, type, table(5), row(5, "1")}) +
                payloads{stream_commit_payload(5, lsn{100})}) ==
        payloads{"txn 5 at 100", "0 0 orders 1 x"});
}

TEST_CASE("what a transaction announces is its own until it is committed", "[assembly][unit]") {
  const auto altered = relation_payload(orders, "orders", {"id", "note", "more"});
  const auto wide = in_segment(51, insert_payload(orders, {"2", "x", "y"}));
  const payloads known{begin_payload(lsn{10}, 3), announce(orders),
                       insert_payload(orders, {"0", "x"}), commit_payload(lsn{10})};
  const payloads narrow{begin_payload(lsn{90}, 7), insert_payload(orders, {"7", "y"}),
                        commit_payload(lsn{90})};
  SECTION("others have the shape that they knew meanwhile, also when it is rolled back") {
    CHECK(told_of(known + segment(5, true, {in_segment(51, altered), wide}) + narrow +
                  payloads{stream_abort_payload(5, 51)} +
                  segment(5, false, {table(5), row(5, "3")}) +
                  payloads{stream_commit_payload(5, lsn{100})}) ==
          payloads{"txn 3 at 10", "0 0 orders 0 x", "txn 7 at 90", "0 0 orders 7 y", "txn 5 at 100",
                   "0 0 orders 3 x"});
  }
  SECTION("afterwards it is theirs too, and told before the first row") {
    CHECK(told_of(known + segment(5, true, {in_segment(51, altered), wide}) +
                  payloads{stream_commit_payload(5, lsn{100}), begin_payload(lsn{110}, 8),
                           insert_payload(orders, {"8", "x", "y"}), commit_payload(lsn{110})}) ==
          payloads{"txn 3 at 10", "0 0 orders 0 x", "changed public.orders: column_added more",
                   "txn 5 at 100", "0 0 orders 2 x y", "txn 8 at 110", "0 0 orders 8 x y"});
  }
  SECTION("what everybody was told since is not forgotten for it") {
    const payloads wide_ones{begin_payload(lsn{90}, 7),
                             altered,
                             insert_payload(orders, {"7", "x", "y"}),
                             commit_payload(lsn{90}),
                             stream_commit_payload(5, lsn{100}),
                             begin_payload(lsn{110}, 8),
                             insert_payload(orders, {"8", "x", "y"}),
                             commit_payload(lsn{110})};
    CHECK(told_of(segment(5, true, {table(5), row(5, "1")}) + wide_ones) ==
          payloads{"txn 7 at 90", "0 0 orders 7 x y", "changed public.orders: column_dropped more",
                   "txn 5 at 100", "0 0 orders 1 x", "changed public.orders: column_added more",
                   "txn 8 at 110", "0 0 orders 8 x y"});
  }
  SECTION("a shape that comes back in it is told as it is of one that comes whole") {
    const auto narrow_again = table(5);
    const payloads rows{table(5),
                        row(5, "1"),
                        in_segment(5, altered),
                        in_segment(5, insert_payload(orders, {"2", "x", "y"})),
                        narrow_again,
                        row(5, "3")};
    CHECK(told_of(known + segment(5, true, rows) + payloads{stream_commit_payload(5, lsn{100})}) ==
          payloads{"txn 3 at 10", "0 0 orders 0 x", "changed public.orders: column_added more",
                   "changed public.orders: column_dropped more", "txn 5 at 100", "0 0 orders 1 x",
                   "1 0 orders 2 x y", "2 0 orders 3 x"});
  }
  SECTION("in a segment nothing is known that was announced outside") {
    CHECK(refusal(known + segment(5, true, {row(5, "1")})) == reason::decode_failure);
  }
}

TEST_CASE("open transactions do not hold an idle position back", "[assembly][unit]") {
  stream_assembler fold{watermark{}, false, {}, streamed};
  REQUIRE(fold.consume(chunk_of(segment(5, true, {table(5), row(5, "1")}))));
  auto made = fold.consume(chunk_of({}, lsn{80}));
  REQUIRE(made);
  CHECK(made->frontier == watermark::before(lsn{80}));
  // In the middle of a segment too: everything that is committed below has been sent before.
  made = fold.consume(chunk_of({stream_start_payload(5, false), row(5, "2")}, lsn{90}));
  REQUIRE(made);
  CHECK(made->frontier == watermark::before(lsn{90}));
  made = fold.consume(chunk_of({stream_stop_payload(), stream_commit_payload(5, lsn{90})}));
  REQUIRE(made);
  CHECK(told(*made) == payloads{"txn 5 at 90", "0 0 orders 1 x", "1 0 orders 2 x"});
}

TEST_CASE("a commit at or below a position that was promised fails instead of being skipped",
          "[assembly][unit]") {
  stream_assembler fold{watermark{}, false, {}, streamed};
  REQUIRE(fold.consume(chunk_of(segment(5, true, {table(5), row(5, "1")}), lsn{101})));
  CHECK_FALSE(fold.consume(chunk_of({stream_commit_payload(5, lsn{100})})));
}

TEST_CASE("what is durable already is left out, however it comes", "[assembly][unit]") {
  stream_assembler fold{watermark::through(lsn{100}), false, {}, streamed};
  const auto made = fold.consume(chunk_of(
    segment(5, true, {table(5), row(5, "1")}) + payloads{stream_commit_payload(5, lsn{100})} +
    segment(6, true, {table(6), row(6, "2")}) + payloads{stream_commit_payload(6, lsn{101})}));
  REQUIRE(made);
  CHECK(told(*made) == payloads{"txn 6 at 101", "0 0 orders 2 x"});
}

TEST_CASE("segments outlive their chunks and are charged until they are delivered",
          "[assembly][unit]") {
  stream_assembler fold{watermark{}, false, {}, streamed};
  auto charged = std::uint64_t{0};
  auto released = std::uint64_t{0};
  const auto consume = [&](const payloads& content) {
    auto source = chunk_of(content);
    charged += source->charge();
    const std::weak_ptr<const chunk> watched = source;
    auto made = fold.consume(source);
    REQUIRE(made);
    released += made->charged_bytes;
    CHECK(charged == released + fold.open_bytes());
    source.reset();
    const auto lines = told(*made);
    made = result<delivery>{};
    CHECK(watched.expired());
    return lines;
  };
  consume(segment(5, true, {table(5), row(5, "1")}));
  consume(segment(6, true, {table(6), row(6, "2")}));
  const auto both = fold.open_bytes();
  CHECK(consume({stream_commit_payload(5, lsn{100})}).size() == 2);
  CHECK(fold.open_bytes() < both);
  CHECK(fold.open_bytes() > 0);
  consume({stream_abort_payload(6, 6)});
  CHECK(fold.open_bytes() == 0);
}

TEST_CASE("more open transactions than are allowed end the stream", "[assembly][unit]") {
  auto rules = streamed;
  rules.max_concurrent_txns = 2;
  const auto two = segment(5, true, {}) + segment(6, true, {});
  CHECK(told_of(two + payloads{stream_abort_payload(5, 5)} + segment(7, true, {}) +
                  payloads{stream_abort_payload(6, 6), stream_abort_payload(7, 7)},
                rules)
          .empty());
  CHECK(refusal(two + segment(7, true, {}), rules) == reason::too_many_streams);
}

TEST_CASE("segments out of their order are a decode failure", "[assembly][unit]") {
  const auto start = stream_start_payload(5, true);
  const auto stop = stream_stop_payload();
  const auto open = segment(5, true, {table(5), row(5, "1")});
  const std::vector<payloads> broken{
    {stop},
    {start, start},
    {start, begin_payload(lsn{100}, 7)},
    {start, stream_commit_payload(5, lsn{100})},
    {start, stream_abort_payload(5, 5)},
    {start, commit_payload(lsn{100})},
    {start, message_payload(false, lsn{50}, "p", "c").insert(1, std::string(4, '\0'))},
    {begin_payload(lsn{100}, 7), start},
    {begin_payload(lsn{100}, 7), stop},
    {begin_payload(lsn{100}, 7), stream_abort_payload(5, 5)},
    {row(5, "1")},
    // A later segment of what has not begun, and the first of what has.
    segment(5, false, {}),
    open + open,
    {stream_commit_payload(5, lsn{100})},
    {stream_abort_payload(5, 5)},
    {stream_abort_payload(5, 51)},
    open + payloads{stream_commit_payload(6, lsn{100})},
    open + payloads{stream_abort_payload(6, 6)},
    open + payloads{stream_commit_payload(5, lsn{100}), stream_commit_payload(5, lsn{110})},
    // A row of a subtransaction that is over.
    segment(5, true, {table(5), row(51, "1")}) + payloads{stream_abort_payload(5, 51)} +
      segment(5, false, {row(51, "2")}),
  };
  for (const auto& one : broken)
    CHECK(refusal(one) == reason::decode_failure);
}

TEST_CASE("without streaming there are no segments, and aborts only where servers send them",
          "[assembly][unit]") {
  const auto version = GENERATE(140000U, 170000U, 180000U);
  const open_rules plain{.dialect = dialect_of(version, false)};
  const payloads whole{begin_payload(lsn{100}, 7), announce(orders),
                       insert_payload(orders, {"1", "x"}), commit_payload(lsn{100})};
  CHECK(refusal(segment(5, true, {}), plain) == reason::decode_failure);
  for (const auto& rules : {plain, open_rules{.dialect = dialect_of(version, true)}}) {
    const auto of_a_part = stream_abort_payload(5, 6);
    if (version == 180000)
      CHECK(told_of(payloads{of_a_part} + whole, rules).size() == 2);
    else
      CHECK(refusal({of_a_part}, rules) == reason::decode_failure);
    CHECK(refusal({stream_abort_payload(5, 5)}, rules) == reason::decode_failure);
  }
}
