// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/tests/support/pg_cluster.hpp"
#include "replicant/tests/support/program_session.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace replicant::test {

/// Random transactions of several sessions at once, statement by statement in turn, which come out
/// the same for the same seed: nested savepoints that are released or rolled back, exceptions in
/// PL/pgSQL, whole rollbacks, two-phase commits, one row to several times 64 kB, rows of all kinds
/// in tables of all kinds, messages, truncates, and tables that are altered, in savepoints too.
///
/// Nobody waits: a statement that another session's lock keeps from running fails soon, and its
/// session goes on as a program would. What survives is recorded as it is done, without asking the
/// server what it has kept.
class transaction_programs {
public:
  /// Makes the tables, and the publication "programs" of all but "hidden", in a server that has
  /// `programs_conf`.
  transaction_programs(const pg_cluster& server, std::uint32_t seed, unsigned sessions = 5);
  transaction_programs(const transaction_programs&) = delete;
  transaction_programs& operator=(const transaction_programs&) = delete;

  /// Makes so many steps. Transactions stay open behind it.
  void run(unsigned steps);

  /// Ends all that is open, and commits one row.
  void finish();

  /// All that was committed, in commit order.
  [[nodiscard]] const told_history& history() const { return world_.history; }

private:
  void end_prepared();

  program_world world_;
  sql_client outside_; ///< Ends what was prepared.
  std::vector<program_session> sessions_;
};

/// Settings of a server that the programs need: transactions are streamed from 64 kB on.
[[nodiscard]] std::vector<std::string> programs_conf();

} // namespace replicant::test
