// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/tests/crash/load.hpp"
#include "replicant/tests/support/oracle.hpp"
#include "replicant/tests/support/pg_cluster.hpp"
#include "replicant/tests/support/program.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace replicant::test {

/// A server with the tables of the load.
struct shop_server : pg_cluster {
  explicit shop_server(std::vector<std::string> conf = {});
};

/// A server, its oracle, and the program streaming from it.
struct scene {
  /// `how` may leave the connection out.
  explicit scene(program_options how = {}, std::vector<std::string> conf = {});

  /// Starts the program and waits until it streams.
  void run();
  /// Waits until the slot has reached the end of the WAL as it is now. Fails the test when it does
  /// not.
  void drain() const;
  /// Drains, stops the program, and compares its files with the oracle.
  void finish(const std::string& origin = "0/0");

  shop_server server;
  oracle right;
  program replicant;
};

/// A column of the slot "shop"; empty for NULL or without the slot.
[[nodiscard]] std::string slot(const pg_cluster& server, const std::string& column);
[[nodiscard]] std::uint64_t confirmed(const pg_cluster& server);
[[nodiscard]] std::uint64_t wal_end(const pg_cluster& server);

/// A position as a number.
[[nodiscard]] std::uint64_t position_of(const std::string& text);

/// The position of the last whole unit at the end of a file, or of its header; 0 when there is
/// none.
[[nodiscard]] std::uint64_t last_position(const std::string& file);

/// The most memory that the process ever had resident, in KiB.
[[nodiscard]] std::uint64_t peak_memory(pid_t process);

} // namespace replicant::test
