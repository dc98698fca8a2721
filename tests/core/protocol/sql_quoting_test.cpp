// SPDX-License-Identifier: MIT
#include "replicant/core/protocol/sql_quoting.hpp"

#include <catch2/catch.hpp>

using namespace replicant;

TEST_CASE("a name is quoted whatever it holds", "[protocol][unit]") {
  CHECK(quote_identifier("plain") == R"("plain")");
  CHECK(quote_identifier("Two Words") == R"("Two Words")");
  CHECK(quote_identifier(R"(a"b)") == R"("a""b")");
  CHECK(quote_identifier("übung,1") == R"("übung,1")");
}

TEST_CASE("a string constant doubles quotes and leaves backslashes alone", "[protocol][unit]") {
  CHECK(quote_literal("it's") == "'it''s'");
  CHECK(quote_literal(R"(\)") == R"('\')");
  CHECK(quote_literal("") == "''");
}
