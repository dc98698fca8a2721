// SPDX-License-Identifier: MIT
#include "replicant/core/protocol/stream_dialect.hpp"

#include <catch2/catch.hpp>

using namespace replicant;

TEST_CASE("what may come on a stream depends on the request and on the server",
          "[protocol][unit]") {
  for (const auto streaming : {false, true}) {
    CHECK(dialect_of(140000, streaming) ==
          stream_dialect{.streaming = streaming, .stray_aborts = false});
    CHECK(dialect_of(170009, streaming) ==
          stream_dialect{.streaming = streaming, .stray_aborts = false});
    CHECK(dialect_of(180000, streaming) ==
          stream_dialect{.streaming = streaming, .stray_aborts = true});
    CHECK(dialect_of(190001, streaming) ==
          stream_dialect{.streaming = streaming, .stray_aborts = true});
  }
}
