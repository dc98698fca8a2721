// SPDX-License-Identifier: MIT
#include "replicant/core/assembly/schema_memory.hpp"

#include <catch2/catch.hpp>

#include <functional>
#include <string>

using namespace replicant;

namespace {

relation orders() {
  return {.oid = 16384,
          .schema = "public",
          .name = "orders",
          .columns = {{.name = "id", .type = 23, .key = true}, {.name = "note", .type = 25}}};
}

std::string told(const std::shared_ptr<const schema_change>& change) {
  return change ? to_string(*change) : "";
}

std::shared_ptr<const relation> shape(relation of) {
  return std::make_shared<const relation>(std::move(of));
}

std::shared_ptr<const relation> table(std::uint32_t oid, const std::string& name) {
  auto made = orders();
  made.oid = oid;
  made.name = name;
  return shape(std::move(made));
}

/// What is told when `orders` comes again as `alter` leaves it.
std::string told_of(const std::function<void(relation&)>& alter) {
  schema_memory memory;
  memory.learn(shape(orders()));
  auto altered = orders();
  alter(altered);
  return told(memory.compare(shape(altered), lsn{100}));
}

/// What is told, of this table too, when it is seen now.
std::string see(schema_memory& memory, const std::shared_ptr<const relation>& now) {
  auto text = told(memory.compare(now, lsn{100}));
  memory.learn(now);
  return text;
}

} // namespace

TEST_CASE("each way in which a table can change is told by its name", "[assembly][unit]") {
  CHECK(told_of([](relation& t) { t.columns.push_back({.name = "x", .type = 23}); }) ==
        "public.orders: column_added x");
  CHECK(told_of([](relation& t) { t.columns.pop_back(); }) == "public.orders: column_dropped note");
  CHECK(told_of([](relation& t) { t.columns[1].name = "remark"; }) ==
        "public.orders: column_dropped note, column_added remark");
  CHECK(told_of([](relation& t) { t.columns[0].type = 20; }) == "public.orders: type_changed id");
  CHECK(told_of([](relation& t) { t.columns[1].type_modifier = 14; }) ==
        "public.orders: type_changed note");
  CHECK(told_of([](relation& t) { t.identity = replica_identity::full; }) ==
        "public.orders: identity_changed");
  CHECK(told_of([](relation& t) {
          t.columns[0].key = false;
          t.columns[1].key = true;
        }) == "public.orders: identity_changed");
  CHECK(told_of([](relation& t) { t.columns.push_back({.name = "x", .type = 23, .key = true}); }) ==
        "public.orders: identity_changed, column_added x");
  CHECK(told_of([](relation& t) { t.name = "sales"; }) ==
        "public.sales: table_renamed from public.orders");
  CHECK(told_of([](relation& t) { t.schema = "old"; }) ==
        "old.orders: table_renamed from public.orders");
}

TEST_CASE("what the copy of a table cannot notice is no change", "[assembly][unit]") {
  CHECK(told_of([](relation&) {}).empty());
  CHECK(told_of([](relation& t) { std::swap(t.columns[0], t.columns[1]); }).empty());
}

TEST_CASE("a new column is no change of an identity that is the full row", "[assembly][unit]") {
  auto before = orders();
  before.identity = replica_identity::full;
  before.columns[1].key = true;
  auto after = before;
  after.columns.push_back({.name = "x", .type = 23, .key = true});
  CHECK(differences_between(before, after) ==
        std::vector<schema_difference>{{schema_change_kind::column_added, "x"}});
}

TEST_CASE("only what adds alone is taken by a sink that does not judge", "[assembly][unit]") {
  const auto before = shape(orders());
  auto change = schema_change{lsn{100}, before, before, {{schema_change_kind::column_added, "x"}}};
  CHECK(refuse_destructive(change));
  change.differences.push_back({schema_change_kind::type_changed, "secret_name"});
  const auto refused = refuse_destructive(change);
  REQUIRE_FALSE(refused);
  CHECK(to_string(refused.error()) ==
        "schema_change_destructive at=0/64 relation=16384 change=type_changed "
        "fingerprint=516bc51a9a394915");
  for (auto kind = 2; kind <= 6; ++kind)
    CHECK(is_destructive(static_cast<schema_change_kind>(kind)));
}

TEST_CASE("a table that is new, under a name that is new, is no change", "[assembly][unit]") {
  schema_memory memory;
  CHECK(see(memory, table(1, "a")).empty());
  CHECK(see(memory, table(2, "b")).empty());
}

TEST_CASE("a table that was dropped and made again is another one, and is told once",
          "[assembly][unit]") {
  schema_memory memory;
  see(memory, table(1, "a"));
  CHECK(see(memory, table(2, "a")) == "public.a: table_replaced");
  CHECK(see(memory, table(2, "a")).empty());
  auto narrower = *table(3, "a");
  narrower.columns.pop_back();
  CHECK(see(memory, shape(narrower)) == "public.a: table_replaced, column_dropped note");
}

TEST_CASE("tables that swap their names are told, whichever is seen first", "[assembly][unit]") {
  schema_memory memory;
  see(memory, table(1, "a"));
  see(memory, table(2, "b"));
  CHECK(see(memory, table(1, "b")) == "public.b: table_replaced, table_renamed from public.a");
  CHECK(see(memory, table(2, "a")) == "public.a: table_renamed from public.b");
  CHECK(see(memory, table(1, "b")).empty());
  CHECK(see(memory, table(2, "a")).empty());
}

TEST_CASE("a table whose name another has taken is known by the one it has now",
          "[assembly][unit]") {
  schema_memory memory;
  see(memory, table(1, "a"));
  see(memory, table(2, "a"));
  CHECK(see(memory, table(1, "a_old")) == "public.a_old: table_renamed from public.a");
}

TEST_CASE("a table that has taken its name back is told, though it has not changed",
          "[assembly][unit]") {
  schema_memory memory;
  const auto first = table(1, "a");
  see(memory, first);
  CHECK(memory.knows(first));
  see(memory, table(2, "a"));
  CHECK_FALSE(memory.knows(first));
  CHECK(see(memory, first) == "public.a: table_replaced");
  CHECK(memory.knows(first));
}

TEST_CASE("only the very object is known without a comparison", "[assembly][unit]") {
  schema_memory memory;
  const auto first = shape(orders());
  CHECK_FALSE(memory.knows(first));
  memory.learn(first);
  CHECK(memory.knows(first));
  CHECK_FALSE(memory.knows(shape(orders())));
}
