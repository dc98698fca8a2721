// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/sinks/jsonl/line_writer.hpp"
#include "replicant/core/model/transaction.hpp"

#include <catch2/catch.hpp>

#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace replicant::test {

inline std::vector<std::string> lines_of(std::string_view bytes) {
  std::vector<std::string> lines;
  std::istringstream in{std::string{bytes}};
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  REQUIRE((bytes.empty() || bytes.back() == '\n'));
  return lines;
}

inline std::string write_transaction(const transaction& txn) {
  line_writer writer;
  writer.begin(txn);
  for (const auto& one : txn.events())
    REQUIRE(writer.add(one));
  writer.commit();
  return std::string{writer.pending()};
}

/// The change and message lines of a transaction.
inline std::vector<std::string> middle_of(const transaction& txn) {
  auto lines = lines_of(write_transaction(txn));
  REQUIRE(lines.size() >= 2);
  return {lines.begin() + 1, lines.end() - 1};
}

} // namespace replicant::test
