// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/config/load.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <string>

namespace replicant::test {

/// Text that must never appear in a diagnostic.
inline const std::string secret = "s3cr3t-planted";

/// An environment made of a table.
inline environment environment_of(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional{found->second};
  };
}

inline const environment plain = environment_of({{"HOME", "/home/tester"}});

/// Loads a text that has to be right.
inline settings accepted(const std::string& text, const environment& lookup = plain) {
  auto loaded = load(text, lookup);
  if (!loaded)
    for (const auto& problem : loaded.error())
      FAIL_CHECK(to_string("file", problem));
  REQUIRE(loaded);
  return *loaded;
}

/// Loads a text that has to be wrong; its problems, one per line, free of the planted secret.
inline std::string refused(const std::string& text, const environment& lookup = plain) {
  const auto loaded = load(text, lookup);
  REQUIRE_FALSE(loaded);
  std::string all;
  for (const auto& problem : loaded.error())
    all.append(to_string("file", problem)).append("\n");
  CHECK(all.find(secret) == std::string::npos);
  return all;
}

/// A whole right file: the lines a test is about replace those of the same key or are added.
struct file_parts {
  std::string runtime{};
  std::string pipeline = "name = \"shop\"\nslot_name = \"shop\"\npublication = \"shop_pub\"\n";
  std::string connection = "conninfo = \"host=db1 dbname=shop\"\n";
  std::string identity{};
  std::string
    store{}; ///< Lines of [pipeline.checkpoint_store]; without any there is no such table.
  std::string streaming{}; ///< Likewise of [pipeline.streaming].
  std::string sink = "kind = \"jsonl\"\npath = \"/tmp/shop.jsonl\"\n";

  [[nodiscard]] std::string whole() const {
    return "[runtime]\n" + runtime + "[[pipeline]]\n" + pipeline + "[pipeline.connection]\n" +
           connection + "[pipeline.source_identity]\n" + identity +
           (store.empty() ? "" : "[pipeline.checkpoint_store]\n" + store) +
           (streaming.empty() ? "" : "[pipeline.streaming]\n" + streaming) + "[pipeline.sink]\n" +
           sink;
  }
};

} // namespace replicant::test
