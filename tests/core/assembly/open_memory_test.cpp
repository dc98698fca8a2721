// SPDX-License-Identifier: MIT
#include "replicant/tests/core/assembly/assembler_fixture.hpp"
#include "replicant/tests/support/memory_spill.hpp"

#include <catch2/catch.hpp>

#include <memory>
#include <string>
#include <vector>

using namespace replicant;
using namespace replicant::test;

namespace {

using payloads = std::vector<std::string>;

/// A fold that may hold little memory, and what it has delivered.
class small_fold {
public:
  explicit small_fold(std::uint64_t limit, std::shared_ptr<memory_spill> spill)
    : fold_{
        watermark{},
        false,
        {},
        {.dialect = {.streaming = true}, .max_inflight_bytes = limit, .spill = std::move(spill)}} {}

  /// `rows` rows of 100 bytes in a segment of the transaction.
  result<delivery> write(std::uint32_t top, int rows, std::uint32_t xid = 0) {
    const auto first = std::ranges::find(open_, top) == open_.end();
    if (first)
      open_.push_back(top);
    payloads content{stream_start_payload(top, first), in_segment(top, announce(orders))};
    for (auto i = 0; i < rows; ++i)
      content.push_back(
        in_segment(xid == 0 ? top : xid,
                   insert_payload(orders, {std::to_string(next_row_++), std::string(100, 'x')})));
    content.push_back(stream_stop_payload());
    return fold_.consume(chunk_of(content));
  }

  result<delivery> take(const payloads& content) { return fold_.consume(chunk_of(content)); }

  stream_assembler fold_;

private:
  std::vector<std::uint32_t> open_;
  int next_row_ = 0;
};

std::vector<std::string> ids_in(const transaction& txn) {
  std::vector<std::string> ids;
  for (const auto& one : txn.events()) {
    const auto& row = std::get<change>(one);
    CHECK(row.ordinal == ids.size());
    ids.emplace_back(row.record[0].bytes);
  }
  return ids;
}

const transaction& only_transaction(const delivery& made) {
  REQUIRE(transactions_in(made) == 1);
  return std::get<transaction>(made.items.back());
}

std::vector<std::string> numbers(int from, int to) {
  std::vector<std::string> all;
  for (auto i = from; i < to; ++i)
    all.push_back(std::to_string(i));
  return all;
}

} // namespace

TEST_CASE("what does not fit into half of the credit is spilled, the largest first",
          "[assembly][unit]") {
  const auto disk = std::make_shared<memory_spill>();
  small_fold small{4000, disk};
  REQUIRE(small.write(5, 5));
  REQUIRE(small.write(6, 8));
  CHECK(disk->files() == 0);
  REQUIRE(small.write(7, 4));
  CHECK(disk->created == std::vector<std::uint32_t>{6});
  CHECK(small.fold_.open_bytes() <= 2000);
  auto news = small.fold_.take_news();
  CHECK(news.spills == 1);
  CHECK(news.spill_written == disk->bytes());

  SECTION("one that has spilled begins anew in memory, and its file goes with its delivery") {
    REQUIRE(small.write(6, 2));
    auto made = small.take({stream_commit_payload(6, lsn{100})});
    REQUIRE(made);
    CHECK(only_transaction(*made).spilled());
    CHECK(only_transaction(*made).events().size() == 10);
    CHECK(ids_in(only_transaction(*made)).size() == 10);
    CHECK(disk->files() == 1);
    made = result<delivery>{};
    CHECK(disk->files() == 0);
    CHECK(disk->bytes() == 0);
  }
  SECTION("and with its end in any other way") {
    REQUIRE(small.take({stream_abort_payload(6, 6)}));
    CHECK(disk->files() == 0);
  }
}

TEST_CASE("a transaction is the same wherever its events lie", "[assembly][unit]") {
  const auto disk = std::make_shared<memory_spill>();
  small_fold small{2000, disk};
  for (auto i = 0; i < 7; ++i)
    REQUIRE(small.write(5, 4));
  // Disk, memory, chunk.
  CHECK(small.fold_.open_bytes() > 0);
  const auto made =
    small.take({stream_start_payload(5, false), in_segment(5, insert_payload(orders, {"28", "y"})),
                stream_stop_payload(), stream_commit_payload(5, lsn{100})});
  REQUIRE(made);
  const auto& txn = only_transaction(*made);
  CHECK(txn.spilled());
  CHECK(ids_in(txn) == numbers(0, 29));
  CHECK(ids_in(txn) == numbers(0, 29));
}

TEST_CASE("what is rolled back is gone wherever it lies", "[assembly][unit]") {
  const auto disk = std::make_shared<memory_spill>();
  small_fold small{2000, disk};
  REQUIRE(small.write(5, 3));
  REQUIRE(small.write(5, 9, 51));
  CHECK(disk->files() == 1);
  const auto on_disk = disk->bytes();
  REQUIRE(small.write(5, 3, 52));
  SECTION("after it was spilled it is left out when read") {
    REQUIRE(small.take({stream_abort_payload(5, 51)}));
    const auto made = small.take({stream_commit_payload(5, lsn{100})});
    REQUIRE(made);
    CHECK(only_transaction(*made).events().size() == 6);
    CHECK(ids_in(only_transaction(*made)) ==
          std::vector<std::string>{"0", "1", "2", "12", "13", "14"});
  }
  SECTION("before, it is not written any more") {
    REQUIRE(small.take({stream_abort_payload(5, 52)}));
    REQUIRE(small.write(5, 7));
    CHECK(disk->bytes() > on_disk);
    CHECK(disk->bytes() < on_disk + 8 * 140);
    const auto made = small.take({stream_commit_payload(5, lsn{100})});
    REQUIRE(made);
    CHECK(ids_in(only_transaction(*made)).size() == 19);
  }
}

TEST_CASE("what is rolled back before its chunk goes takes no memory", "[assembly][unit]") {
  small_fold small{2000, nullptr};
  REQUIRE(small.take({stream_start_payload(5, true), in_segment(51, announce(orders)),
                      in_segment(51, insert_payload(orders, {"1", std::string(100, 'x')})),
                      stream_stop_payload(), stream_abort_payload(5, 51)}));
  CHECK(small.fold_.open_transactions() == 1);
  CHECK(small.fold_.open_bytes() == 0);
}

TEST_CASE("of a spilled transaction nothing may be left", "[assembly][unit]") {
  const auto disk = std::make_shared<memory_spill>();
  small_fold small{2000, disk};
  REQUIRE(small.write(5, 9, 51));
  REQUIRE(small.take({stream_abort_payload(5, 51)}));
  const auto made = small.take({stream_commit_payload(5, lsn{100})});
  REQUIRE(made);
  CHECK(made->items.empty());
  CHECK(made->frontier == watermark::through(lsn{100}));
  CHECK(disk->created.size() == 1);
  CHECK(disk->files() == 0);
}

TEST_CASE("a transaction that comes whole spills the same way", "[assembly][unit]") {
  const auto disk = std::make_shared<memory_spill>();
  small_fold small{2000, disk};
  REQUIRE(small.take({begin_payload(lsn{100}, 7), announce(orders)}));
  for (auto i = 0; i < 30; ++i)
    REQUIRE(small.take({insert_payload(orders, {std::to_string(i), std::string(100, 'x')})}));
  CHECK(disk->created == std::vector<std::uint32_t>{7});
  CHECK(small.fold_.open_bytes() <= 1000);
  const auto made = small.take({commit_payload(lsn{100})});
  REQUIRE(made);
  CHECK(ids_in(only_transaction(*made)) == numbers(0, 30));
}

TEST_CASE("one row larger than the bound is spilled too", "[assembly][unit]") {
  const auto disk = std::make_shared<memory_spill>();
  small_fold small{2000, disk};
  REQUIRE(small.take({begin_payload(lsn{100}, 7), announce(orders),
                      insert_payload(orders, {"0", std::string(5000, 'x')})}));
  CHECK(small.fold_.open_bytes() == 0);
  const auto made = small.take({commit_payload(lsn{100})});
  REQUIRE(made);
  CHECK(ids_in(only_transaction(*made)) == numbers(0, 1));
}

TEST_CASE("where nothing may be spilled, more than the credit is too large, but for a single row",
          "[assembly][unit]") {
  small_fold small{2000, nullptr};
  SECTION("what was rolled back does not count") {
    REQUIRE(small.write(5, 5));
    REQUIRE(small.write(5, 5, 51));
    REQUIRE(small.take({stream_abort_payload(5, 51)}));
    REQUIRE(small.write(5, 6));
    const auto made = small.write(6, 6);
    REQUIRE_FALSE(made);
    CHECK(made.error().why == reason::transaction_too_large);
    CHECK(find_fact(made.error(), fact_kind::transaction_id) == 5);
    CHECK(find_fact(made.error(), fact_kind::limit) == 2000);
  }
  SECTION("a single row passes") {
    REQUIRE(small.take({begin_payload(lsn{100}, 7), announce(orders),
                        insert_payload(orders, {"0", std::string(5000, 'x')})}));
    const auto made = small.take({commit_payload(lsn{100})});
    REQUIRE(made);
    CHECK(ids_in(only_transaction(*made)) == numbers(0, 1));
  }
}

TEST_CASE("more than may be on disk ends the stream", "[assembly][unit]") {
  const auto disk = std::make_shared<memory_spill>(2500);
  small_fold small{2000, disk};
  REQUIRE(small.write(5, 10));
  const auto made = small.write(6, 15);
  REQUIRE_FALSE(made);
  CHECK(made.error().why == reason::spill_exhausted);
}

TEST_CASE("what is being delivered is waited for, as long as it alone is in the way",
          "[assembly][unit]") {
  const auto disk = std::make_shared<memory_spill>(2500);
  small_fold small{2000, disk};
  REQUIRE(small.write(5, 10));
  auto delivered = small.take({stream_commit_payload(5, lsn{100})});
  REQUIRE(delivered);
  REQUIRE(small.write(6, 15));
  CHECK(disk->files() == 1);
  CHECK(small.fold_.open_bytes() > 1000);
  delivered = result<delivery>{};
  REQUIRE(small.write(6, 1));
  CHECK(disk->files() == 1);
  CHECK(small.fold_.open_bytes() == 0);
}

TEST_CASE("a disk that fails ends the stream, and one that lies the delivery", "[assembly][unit]") {
  const auto disk = std::make_shared<memory_spill>();
  small_fold small{2000, disk};
  REQUIRE(small.write(5, 10));
  SECTION("writing") {
    disk->full = true;
    const auto made = small.write(5, 10);
    REQUIRE_FALSE(made);
    CHECK(made.error().why == reason::spill_io_failed);
  }
  SECTION("reading") {
    REQUIRE(small.write(5, 10));
    disk->damaged = true;
    const auto made = small.take({stream_commit_payload(5, lsn{100})});
    REQUIRE(made);
    auto seen = 0;
    const auto read = [&] {
      for (const auto& one : only_transaction(*made).events())
        seen += std::holds_alternative<change>(one) ? 1 : 0;
    };
    CHECK_THROWS_AS(read(), unreadable_events);
    CHECK(seen == 10);
  }
}
