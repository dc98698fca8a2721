// SPDX-License-Identifier: MIT
#include "replicant/actors/json_line.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace replicant;

TEST_CASE("a document is one line, whatever its texts hold", "[actors][unit]") {
  CHECK(json_line({{"b", "x\ny"}, {"a", nullptr}}) == R"({"b":"x\ny","a":null})");
  CHECK(json_line("a\xFF"
                  "b") == "\"a\xEF\xBF\xBD"
                          "b\"");
}
