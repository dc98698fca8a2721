// SPDX-License-Identifier: MIT
#include "replicant/core/model/relation_text.hpp"

#include <catch2/catch.hpp>

using namespace replicant;

namespace {

const relation sample{.schema = "public",
                      .name = "odd: 3:name\n",
                      .identity = replica_identity::index,
                      .columns = {{.name = "id", .type = 23, .type_modifier = -1, .key = true},
                                  {.name = "", .type = 4294967295, .type_modifier = 655366},
                                  {.name = std::string("\0 k", 3), .type = 25}}};

} // namespace

TEST_CASE("a shape reads back as it was written", "[model][unit]") {
  CHECK(read_relation(to_text(sample)) == sample);
  CHECK(read_relation(to_text({})) == relation{});
  CHECK(
    to_text({.schema = "s", .name = "t", .columns = {{.name = "id", .type = 23, .key = true}}}) ==
    "d1:s1:t2:id23 -1 k");
}

TEST_CASE("what is cut off or damaged is no shape", "[model][unit]") {
  const auto text = to_text(sample);
  // Between two columns a shape with fewer of them ends.
  std::size_t whole = 0;
  for (std::size_t length = 0; length < text.size(); ++length)
    whole += read_relation(text.substr(0, length)) ? 1U : 0U;
  CHECK(whole == 3);
  for (const auto* const wrong :
       {"", "x1:s1:t", "d", "d1:s", "d9:s1:t", "d-1:s1:t", "d1:s1:t2:id23 -1 x", "d1:s1:t2:id23 -1",
        "d1:s1:t2:id-3 -1 k", "d1:s1:t2:id99999999999 -1 k", "d1:s1:t "})
    CHECK_FALSE(read_relation(wrong));
}
