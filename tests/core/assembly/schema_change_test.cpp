// SPDX-License-Identifier: MIT
#include "replicant/core/assembly/assembler.hpp"
#include "replicant/tests/support/wire_bytes.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace replicant;

namespace {

constexpr std::uint32_t orders = 16384;
constexpr std::uint32_t items = 16385;

using names = std::vector<std::string>;

std::shared_ptr<const chunk> chunk_of(const names& payloads) {
  auto made = std::make_shared<chunk>();
  for (const auto& payload : payloads)
    made->append(data_frame(lsn{7}, payload));
  return made;
}

/// Announces the table with these columns, and a row of it.
names row(std::uint32_t oid, const std::string& table, const names& columns) {
  return {relation_payload(oid, table, columns),
          insert_payload(oid, std::vector<text_cell>(columns.size(), "1"))};
}

names transaction_of(std::uint64_t commit, const std::vector<names>& parts) {
  names all{begin_payload(lsn{commit}, 5)};
  for (const auto& part : parts)
    all.insert(all.end(), part.begin(), part.end());
  all.push_back(commit_payload(lsn{commit}));
  return all;
}

/// The items of what the payloads complete, in words.
names told(stream_assembler& fold, const names& payloads) {
  const auto made = fold.consume(chunk_of(payloads));
  REQUIRE(made);
  names lines;
  for (const auto& item : made->items) {
    if (const auto* txn = std::get_if<transaction>(&item))
      lines.push_back(std::to_string(txn->commit_lsn.value()));
    else if (const auto* changed = std::get_if<std::shared_ptr<const schema_change>>(&item))
      lines.push_back(std::to_string((*changed)->at.value()) + " " + to_string(**changed));
  }
  return lines;
}

/// The one shape that is new in what was made.
std::shared_ptr<const relation> shape_in(const delivery& made) {
  const auto is_shape = [](const delivery_item& item) {
    return std::holds_alternative<std::shared_ptr<const relation>>(item);
  };
  REQUIRE(std::ranges::count_if(made.items, is_shape) == 1);
  return std::get<std::shared_ptr<const relation>>(*std::ranges::find_if(made.items, is_shape));
}

} // namespace

TEST_CASE("a change is told directly before the transaction that shows it", "[assembly][unit]") {
  stream_assembler fold{watermark{}, false};
  auto payloads = transaction_of(100, {row(orders, "orders", {"id"})});
  for (const auto& more : {transaction_of(200, {row(items, "items", {"id"})}),
                           transaction_of(300, {row(orders, "orders", {"id", "note"})})})
    payloads.insert(payloads.end(), more.begin(), more.end());
  CHECK(told(fold, payloads) == names{"100", "200", "300 public.orders: column_added note", "300"});
}

TEST_CASE("what was altered inside of a transaction is told in the order of its rows",
          "[assembly][unit]") {
  stream_assembler fold{watermark{}, false};
  REQUIRE(told(fold, transaction_of(100, {row(orders, "orders", {"id"})})) == names{"100"});
  CHECK(told(fold,
             transaction_of(200, {row(orders, "orders", {"id"}), row(orders, "orders", {"id", "a"}),
                                  row(orders, "orders", {"id"})})) ==
        names{"200 public.orders: column_added a", "200 public.orders: column_dropped a", "200"});
}

TEST_CASE("a table without a row says nothing, however often it is announced", "[assembly][unit]") {
  stream_assembler fold{watermark{}, false};
  REQUIRE(told(fold, transaction_of(100, {row(orders, "orders", {"id"})})) == names{"100"});
  const names announced{relation_payload(orders, "orders", {"other"})};
  CHECK(told(fold, transaction_of(200, {announced, row(items, "items", {"id"})})) == names{"200"});
  CHECK(told(fold, transaction_of(300, {row(orders, "orders", {"id"})})) == names{"300"});
}

TEST_CASE("a truncate shows the shape of its table too", "[assembly][unit]") {
  stream_assembler fold{watermark{}, false};
  REQUIRE(told(fold, transaction_of(100, {row(orders, "orders", {"id"})})) == names{"100"});
  CHECK(told(fold, transaction_of(200, {{relation_payload(orders, "orders", {"id", "a"}),
                                         truncate_payload({orders})}})) ==
        names{"200 public.orders: column_added a", "200"});
}

TEST_CASE("a new stream compares with what earlier ones have shown", "[assembly][unit]") {
  schema_memory known;
  stream_assembler before{watermark{}, false};
  const auto made = before.consume(chunk_of(transaction_of(100, {row(orders, "orders", {"id"})})));
  REQUIRE(made);
  known.learn(shape_in(*made));

  stream_assembler again{watermark::through(lsn{100}), false, known};
  CHECK(told(again, transaction_of(200, {row(orders, "orders", {"id"})})) == names{"200"});
  stream_assembler altered{watermark::through(lsn{100}), false, known};
  CHECK(told(altered, transaction_of(200, {row(orders, "orders", {"nr"})})) ==
        names{"200 public.orders: identity_changed, column_dropped id, column_added nr", "200"});
}

TEST_CASE("a transaction that is left out says nothing of shapes that are long past",
          "[assembly][unit]") {
  schema_memory known;
  stream_assembler before{watermark{}, false};
  const auto made =
    before.consume(chunk_of(transaction_of(200, {row(orders, "orders", {"id", "note"})})));
  REQUIRE(made);
  known.learn(shape_in(*made));

  stream_assembler again{watermark::through(lsn{200}), false, known};
  CHECK(told(again, transaction_of(100, {row(orders, "orders", {"id"})})).empty());
  CHECK(told(again, transaction_of(200, {row(orders, "orders", {"id", "note"})})).empty());
  // The server does not announce it again.
  CHECK(told(again, transaction_of(300, {{insert_payload(orders, {"1", "x"})}})) == names{"300"});
}

TEST_CASE("a shape that is announced where it is left out is told with its first row",
          "[assembly][unit]") {
  stream_assembler fold{watermark::through(lsn{100}), false, [] {
                          schema_memory known;
                          stream_assembler before{watermark{}, false};
                          const auto made = before.consume(
                            chunk_of(transaction_of(50, {row(orders, "orders", {"id"})})));
                          known.learn(shape_in(*made));
                          return known;
                        }()};
  CHECK(told(fold, transaction_of(100, {row(orders, "orders", {"id", "a"})})).empty());
  CHECK(told(fold, transaction_of(300, {{insert_payload(orders, {"1", "x"})}})) ==
        names{"300 public.orders: column_added a", "300"});
}
