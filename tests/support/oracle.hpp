// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/tests/support/pg_cluster.hpp"

#include <string>
#include <vector>

namespace replicant::test {

/// The server's own account of what was committed: a second slot, read with test_decoding.
class oracle {
public:
  /// Makes the slot: what is committed from now on counts.
  explicit oracle(const pg_cluster& server);

  /// Reads the slot and compares (tests/support/compare_with_oracle.py); the test fails when
  /// anything differs. Call it once, at the end. The files are in the order of the stream; `origin`
  /// is the consistent point of the slot under test, when that was made after this one.
  void expect_equal(const std::vector<std::string>& files, const std::string& origin = "0/0") const;

  /// Tables that are not published ("schema.table").
  std::vector<std::string> unpublished{"public.audit"};

  /// Whether the files hold messages, of both kinds.
  bool messages = false;

private:
  const pg_cluster& server_;
};

} // namespace replicant::test
