// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/tests/support/child_process.hpp"
#include "replicant/tests/support/pg_cluster.hpp"

#include <memory>
#include <string>

namespace replicant::test {

/// A pgbouncer in front of a server, on a free port of 127.0.0.1. Stopped and removed with the
/// object.
class pooler {
public:
  /// `settings`: more lines of its [pgbouncer] section.
  /// @throws std::runtime_error with its log when it does not start.
  explicit pooler(const pg_cluster& server, const std::string& settings = {});

  [[nodiscard]] std::string
  conninfo(const std::string& rest = "user=postgres dbname=postgres") const;

private:
  temp_dir folder_;
  int port_;
  std::unique_ptr<child_process> process_;
};

} // namespace replicant::test
