// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/null/null_sink.hpp"
#include "replicant/tests/sinks/jsonl_fixture.hpp"

#include <catch2/catch.hpp>

#include <functional>
#include <set>

using namespace replicant;
using namespace replicant::test;

namespace {

null_counts count(std::initializer_list<transaction> stream) {
  const auto totals = std::make_shared<null_totals>();
  null_sink sink{totals};
  for (const auto& txn : stream)
    REQUIRE(sink.handle_transaction(txn));
  return totals->read();
}

transaction insert_note(const cell& note) {
  return transaction_builder{lsn{100}}.insert(orders, {text("1"), note, null_cell}).build();
}

} // namespace

TEST_CASE("the null sink counts what it is given", "[sinks][unit]") {
  const auto totals = std::make_shared<null_totals>();
  null_sink sink{totals};
  CHECK(sink.checkpoint()->memory == sink_memory::none);
  REQUIRE(
    sink.handle_transaction(transaction_builder{lsn{100}}
                              .insert(orders, {text("1"), text("four"), null_cell})
                              .remove(orders, old_image::key, {text("1"), null_cell, null_cell})
                              .truncate(orders, false, false)
                              .message(lsn{90}, "p", "content")
                              .build()));
  REQUIRE(sink.handle_message({.at = lsn{200}, .prefix = "q", .content = "x"}));
  const auto counts = totals->read();
  CHECK(counts.transactions == 1);
  CHECK(counts.changes == 3);
  CHECK(counts.messages == 2);
  CHECK(counts.bytes == 5 + 1 + 8 + 2);
}

TEST_CASE("the checksum tells any two streams apart", "[sinks][unit]") {
  const auto a = insert_note(text("a"));
  const auto b = insert_note(text("b"));
  std::set<std::uint32_t> sums;
  std::size_t streams = 0;
  const auto add = [&](std::initializer_list<transaction> stream) {
    sums.insert(count(stream).checksum.value());
    ++streams;
  };
  add({});
  add({insert_note(null_cell)});
  add({insert_note(text(""))});
  add({insert_note(unchanged_cell)});
  add({insert_note(text("NULL"))});
  add({a});
  add({b});
  add({a, b});
  add({b, a});
  add({a, a});
  add({transaction_builder{lsn{100}}.update(orders, {text("1"), text("a"), null_cell}).build()});
  add({transaction_builder{lsn{100}}.insert(orders, {text("1a"), text(""), null_cell}).build()});
  add({transaction_builder{lsn{100}}
         .remove(orders, old_image::full, {text("1"), text("a"), null_cell})
         .build()});
  add({transaction_builder{lsn{100}}
         .remove(orders, old_image::key, {text("1"), text("a"), null_cell})
         .build()});
  add({transaction_builder{lsn{100}}.truncate(orders, false, false).build()});
  add({transaction_builder{lsn{100}}.truncate(orders, true, false).build()});
  add({transaction_builder{lsn{100}}.truncate(orders, false, true).build()});
  add({transaction_builder{lsn{100}}.message(lsn{1}, "a", "b").build()});
  add({transaction_builder{lsn{100}}.message(lsn{1}, "ab", "").build()});
  CHECK(sums.size() == streams);
}

TEST_CASE("positions do not enter the checksum", "[sinks][unit]") {
  CHECK(count({one_row(100), one_row(200)}).checksum.value() ==
        count({one_row(300), one_row(400)}).checksum.value());
}

TEST_CASE("the next sink of a pipeline goes on where the last one stood", "[sinks][unit]") {
  const auto totals = std::make_shared<null_totals>();
  for (const std::uint64_t commit : {100, 200}) {
    null_sink sink{totals};
    REQUIRE(sink.handle_transaction(one_row(commit)));
  }
  const auto whole = count({one_row(100), one_row(200)});
  CHECK(totals->read().transactions == 2);
  CHECK(totals->read().bytes == whole.bytes);
  CHECK(totals->read().checksum.value() == whole.checksum.value());
}
