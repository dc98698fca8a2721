// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/postgres/replication_source.hpp"
#include "replicant/tests/postgres/stream_reader.hpp"
#include "replicant/tests/support/pg_cluster.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace replicant::test {

/// Options for slot "s" and publication "p".
inline postgres::source_options options_for(std::string conninfo) {
  return {.conninfo = std::move(conninfo), .slot_name = "s", .publications = {"p"}};
}

/// A source that has made its slot and streams from it.
struct streaming_source {
  explicit streaming_source(postgres::source_options options, bool streaming = false)
    : source{std::move(options)} {
    REQUIRE(source.connect());
    const auto point = source.create_slot();
    REQUIRE(point);
    REQUIRE(source.start(*point, streaming));
  }

  postgres::postgres_source source;
  stream_reader reader{source};
};

/// The fault with which a source made of `options` fails to connect.
inline fault connect_failure(postgres::source_options options) {
  postgres::postgres_source source{std::move(options)};
  const auto facts = source.connect();
  REQUIRE_FALSE(facts);
  return facts.error();
}

inline fault connect_failure(const std::string& conninfo) {
  return connect_failure(options_for(conninfo));
}

} // namespace replicant::test
