// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/tests/cli/invocation.hpp"
#include "replicant/tests/support/child_process.hpp"
#include "replicant/tests/support/pg_cluster.hpp"

#include <catch2/catch.hpp>

#include <csignal>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace replicant::test {

inline pg_cluster& server() {
  static pg_cluster one;
  return one;
}

/// A database of its own with a table and a publication of all tables.
inline std::string fresh_database(const std::string& name) {
  server().exec("create database " + name);
  server().client(name).exec("create table t (id int primary key, note text);"
                             "create publication p for all tables");
  return server().conninfo("user=postgres dbname=" + name);
}

inline std::string slots_of(const std::string& database, const std::string& condition = "true") {
  return server().client().value("select count(*) from pg_replication_slots where database = '" +
                                 database + "' and " + condition);
}

/// What is committed from now on is seen.
inline void await_stream(const std::string& database) {
  REQUIRE(wait_until([&] {
    return slots_of(database, "temporary and active and confirmed_flush_lsn is not null") == "1";
  }));
}

inline void await_no_slot(const std::string& database) {
  CHECK(wait_until([&] { return slots_of(database) == "0"; }));
}

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in{text};
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

/// Text without its borders, which hold positions and times.
inline std::string entries_of(const std::string& text) {
  std::string entries;
  for (const auto& line : lines_of(text))
    if (!line.starts_with("-- transaction "))
      entries += line + "\n";
  return entries;
}

inline int stop(invocation& running, int signal = SIGTERM) {
  running.signal(signal);
  return running.wait();
}

inline const std::map<std::string, std::string> plain_terminal{{"LC_ALL", "C"}};

} // namespace replicant::test
