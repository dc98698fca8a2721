// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/tests/support/child_process.hpp"
#include "replicant/tests/support/sql_client.hpp"
#include "replicant/tests/support/temp_dir.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace replicant::test {

/// A folder with postgres and initdb, and the major version in it.
struct pg_binaries {
  std::string folder;
  int major = 0;

  /// The server under test: the one in REPLICANT_PG_BIN if that is set, else Debian's, else the one
  /// on PATH. @throws std::runtime_error when there is none.
  [[nodiscard]] static pg_binaries main();

  /// Servers older than 14 in the folders of REPLICANT_PG_BINS (separated by colons); none is fine.
  [[nodiscard]] static std::vector<pg_binaries> older();
};

class pg_cluster;

struct cluster_options {
  pg_binaries binaries = pg_binaries::main();
  std::vector<std::string> conf; ///< Lines for postgresql.conf, after ours.
  std::string hba;               ///< Replaces pg_hba.conf, which trusts everybody.
  /// Makes it a standby of that one, which is restarted for its copy and has to have the physical
  /// slot `standby_slot`.
  pg_cluster* primary = nullptr;
};

inline constexpr auto standby_slot = "standby";

enum class stop_mode {
  smart,
  fast,
  immediate,
};

/// A throw-away server with wal_level = logical, on a unix socket and a free port of 127.0.0.1.
/// The superuser is `postgres`. Stopped and removed with the object; a killed test takes its server
/// along.
class pg_cluster {
public:
  /// Makes and starts it. @throws std::runtime_error with the server's log when that fails.
  explicit pg_cluster(const cluster_options& options = {});
  pg_cluster(const pg_cluster&) = delete;
  pg_cluster& operator=(const pg_cluster&) = delete;
  ~pg_cluster();

  /// Starts and waits until it takes connections.
  void start();

  /// Starts without waiting.
  void launch();

  /// @returns how long it took. @throws std::runtime_error when it is not done after `patience`.
  std::chrono::milliseconds stop(stop_mode mode = stop_mode::fast,
                                 std::chrono::milliseconds patience = std::chrono::seconds{60});

  /// Only asks it to stop.
  void ask_to_stop(stop_mode mode);

  [[nodiscard]] bool running();

  void restart(stop_mode mode = stop_mode::fast);

  /// Adds a line to postgresql.conf, for the next `start` or `reload`.
  void configure(const std::string& line);

  /// Replaces pg_hba.conf, for the next `start` or `reload`.
  void authenticate(const std::string& hba);

  /// Reads the configuration again. Later sessions see it; wait for what an old one must see.
  void reload();

  /// By unix socket, or by TCP, as the superuser unless `rest` says otherwise (keyword = value
  /// ...).
  [[nodiscard]] std::string
  conninfo(const std::string& rest = "user=postgres dbname=postgres") const;
  [[nodiscard]] std::string
  tcp_conninfo(const std::string& rest = "user=postgres dbname=postgres") const;

  /// A new session of the superuser.
  [[nodiscard]] sql_client client(const std::string& database = "postgres") const;

  /// One statement, or several, in a session of their own.
  std::vector<sql_client::row> exec(const std::string& sql) const { return client().exec(sql); }

  [[nodiscard]] int port() const { return port_; }

  [[nodiscard]] int major() const { return binaries_.major; }

  [[nodiscard]] std::string socket_folder() const { return folder_ / "socket"; }

  [[nodiscard]] std::string data_folder() const { return folder_ / "data"; }

  /// What the server has logged.
  [[nodiscard]] std::string log() const;

private:
  void copy_from(const cluster_options& options);
  void follow(const pg_cluster& primary);

  pg_binaries binaries_;
  temp_dir folder_;
  int port_;
  std::unique_ptr<child_process> postmaster_;
};

/// A port of 127.0.0.1 on which nobody listens now.
[[nodiscard]] int free_port();

} // namespace replicant::test
