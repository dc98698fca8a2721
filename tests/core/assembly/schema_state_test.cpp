// SPDX-License-Identifier: MIT
#include "replicant/core/assembly/schema_state.hpp"

#include <catch2/catch.hpp>

#include <memory>
#include <string>
#include <vector>

using namespace replicant;

namespace {

std::shared_ptr<const relation> table(std::uint32_t oid, std::string name,
                                      std::vector<column> columns = {{.name = "id", .type = 23}}) {
  return std::make_shared<const relation>(relation{
    .oid = oid, .schema = "public", .name = std::move(name), .columns = std::move(columns)});
}

/// What a keeper of entries holds that was told everything.
std::vector<state_entry> learn_all(schema_memory& into,
                                   const std::vector<std::shared_ptr<const relation>>& shapes) {
  std::vector<state_entry> kept;
  for (const auto& shape : shapes)
    for (const auto oid : into.learn(shape))
      put(kept, state_of(into, oid));
  std::erase_if(kept, [](const state_entry& one) { return one.content.empty(); });
  return kept;
}

} // namespace

TEST_CASE("what is remembered of tables reads back, with who has lost a name", "[assembly][unit]") {
  schema_memory known;
  const auto kept = learn_all(
    known, {table(1, "orders"), table(2, "items"), table(3, "orders"), table(4, "orders")});
  // The first was driven out by the third, and forgotten when the fourth drove that one out.
  REQUIRE(kept.size() == 3);
  const auto again = schemas_in(kept);
  REQUIRE(again);
  for (const auto& shape :
       {table(1, "orders"), table(2, "items", {{.name = "nr", .type = 23}}), table(3, "archive"),
        table(4, "orders"), table(5, "orders"), table(6, "new")}) {
    const auto expected = known.compare(shape, lsn{7});
    const auto told = again->compare(shape, lsn{7});
    REQUIRE(static_cast<bool>(told) == static_cast<bool>(expected));
    if (told)
      CHECK(to_string(*told) == to_string(*expected));
  }
}

TEST_CASE("entries of other names are passed over, and damaged ones refused", "[assembly][unit]") {
  const auto good = learn_all(*std::make_unique<schema_memory>(), {table(9, "t")}).front();
  CHECK(good.name == "schema.9");
  CHECK(schemas_in(std::vector{state_entry{"timeline", "1"}, good}));
  for (const auto& wrong :
       {state_entry{"schema.", good.content}, state_entry{"schema.9x", good.content},
        state_entry{"schema.99999999999", good.content},
        state_entry{"schema.9", "2" + good.content}, state_entry{"schema.9", good.content + "1"},
        state_entry{"schema.9", "1"}}) {
    CAPTURE(wrong.name, wrong.content);
    const auto read = schemas_in(std::vector{wrong});
    REQUIRE_FALSE(read);
    CHECK(read.error().why == reason::sink_unreadable);
  }
}

TEST_CASE("the fingerprint of a change is that of its table and its two shapes",
          "[assembly][unit]") {
  const auto fingerprint = [](std::uint32_t oid, const std::string& before, lsn at) {
    schema_memory known;
    known.learn(table(oid, "t", {{.name = before, .type = 23}}));
    return fingerprint_of(*known.compare(table(oid, "t", {{.name = "c", .type = 23}}), at));
  };
  CHECK(fingerprint(1, "a", lsn{1}) == fingerprint(1, "a", lsn{2}));
  CHECK(fingerprint(1, "a", lsn{1}) != fingerprint(1, "b", lsn{1}));
  CHECK(fingerprint(1, "a", lsn{1}) != fingerprint(2, "a", lsn{1}));
  const auto one = fingerprint(1, "a", lsn{1});
  CHECK(parse_fingerprint(fingerprint_text(one)) == one);
  CHECK(fingerprint_text(0xab) == "00000000000000ab");
  for (const auto* const wrong :
       {"", "ab", "00000000000000abc", "00000000000000ax", "-0000000000000ab"})
    CHECK_FALSE(parse_fingerprint(wrong));
}
