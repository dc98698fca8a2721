// SPDX-License-Identifier: MIT
#include "replicant/actors/postgres/type_catalog.hpp"

#include <catch2/catch.hpp>

using namespace replicant;
using postgres::rows;
using postgres::shape_of;

namespace {

const std::vector<std::string> columns{"oid", "kind", "part", "delimiter", "as_text"};

} // namespace

TEST_CASE("types that share a part share its shape", "[types][unit]") {
  // Each level is a composite of the next one and of arrays of it.
  std::vector<rows::cell> steps{{}, {}, "100000", ",", "f"};
  const auto add = [&](std::uint32_t from, const char* kind, std::uint32_t to) {
    steps.insert(steps.end(), {std::to_string(from), kind, std::to_string(to), ",", "f"});
  };
  constexpr std::uint32_t first = 100'000;
  constexpr std::uint32_t levels = 20;
  for (auto level = first; level < first + levels; ++level) {
    add(level, "composite", level + 1);
    add(level, "composite", level + 1000);
    add(level + 1000, "array", level + 1);
  }
  auto shape = shape_of(rows{columns, steps}, first);
  for (auto level = first; level < first + levels; ++level) {
    REQUIRE(shape->attributes.size() == 2);
    const auto next = shape->attributes.at(level + 1);
    CHECK(shape->attributes.at(level + 1000)->element == next);
    shape = next;
  }
  CHECK(shape->kind == type_kind::scalar);
}

TEST_CASE("a type that contains itself ends", "[types][unit]") {
  const rows answer{columns, {{}, {}, "100000", ",", "f", "100000", "array", "100000", ",", "f"}};
  CHECK(shape_of(answer, 100'000)->kind == type_kind::array);
}

TEST_CASE("parts without a delimiter are told apart by a comma", "[types][unit]") {
  const auto delimiter = [](const rows::cell& told) {
    return shape_of(rows{columns, {"100000", "array", "23", told, "f"}}, 100'000)->delimiter;
  };
  CHECK(delimiter(";") == ';');
  CHECK(delimiter("") == ',');
  CHECK(delimiter(std::nullopt) == ',');
}
