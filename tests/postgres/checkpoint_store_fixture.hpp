// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/postgres/checkpoint_table.hpp"
#include "replicant/tests/support/pg_cluster.hpp"

#include <catch2/catch.hpp>

#include <optional>
#include <string>

/// What the tests of a checkpoint store share: a server, a database for each, and short words.
namespace replicant::postgres::store_test {

using namespace replicant::test;

inline pg_cluster& server() {
  static pg_cluster one;
  return one;
}

/// A database of its own, and the store in it.
struct database {
  explicit database(const std::string& name) : conninfo{"user=postgres dbname=" + name} {
    server().exec("CREATE DATABASE \"" + name + '"');
    client.emplace(server().conninfo(conninfo));
  }

  [[nodiscard]] checkpoint_table store(const std::string& table = "kept",
                                       const std::string& slot = "shop") const {
    return checkpoint_table{server().conninfo(conninfo), table, slot};
  }

  std::string value(const std::string& sql) { return client->value(sql); }

  void exec(const std::string& sql) { client->exec(sql); }

  std::string conninfo;
  std::optional<sql_client> client;
};

inline const session_identity source{.system_identifier = "7378697629483820647",
                                     .timeline = 3,
                                     .database = "shop",
                                     .slot_name = "shop"};

inline watermark at(std::uint64_t position) {
  return watermark::through(lsn{position});
}

inline reason why(const result<void>& outcome) {
  REQUIRE_FALSE(outcome);
  return outcome.error().why;
}

inline fault refusal(checkpoint_table store) {
  const auto found = store.read();
  REQUIRE_FALSE(found);
  return found.error();
}

inline stored_checkpoint held(checkpoint_table& store) {
  auto found = store.read();
  REQUIRE(found);
  return *found;
}

inline stored_checkpoint held(checkpoint_table&& store) {
  return held(store);
}

inline std::string content_of(const stored_checkpoint& from, const std::string& name) {
  for (const auto& one : from.held.state)
    if (one.name == name)
      return one.content;
  return "none";
}

} // namespace replicant::postgres::store_test
