// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/delivery/sink.hpp"
#include "replicant/tests/support/pg_cluster.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace replicant::test {

/// The target of a `ledger_sink`: a database with an account that only ever gets longer.
class ledger_database {
public:
  /// Makes the database and its tables. `server` has to live as long.
  explicit ledger_database(const pg_cluster& server, std::string name = "ledger");

  [[nodiscard]] std::string conninfo() const;

  [[nodiscard]] sql_client client() const { return server_.client(name_); }

  void exec(const std::string& sql) const { client().exec(sql); }

  /// Makes sinks that write here.
  [[nodiscard]] sink_factory sinks() const;

  /// Changes and messages, each as often as it was applied.
  [[nodiscard]] std::uint64_t effects() const;

  /// Those that were applied once too often.
  [[nodiscard]] std::uint64_t doubled() const;

  /// What it stands at; 0 when it holds no position.
  [[nodiscard]] std::uint64_t position() const;

  /// The commit of the last transaction that was applied; 0 when there is none.
  [[nodiscard]] std::uint64_t last_commit() const;

  /// How many transactions of the source each transaction of the sink has brought, in order.
  [[nodiscard]] std::vector<std::uint64_t> batches() const;

  /// The lines of one kind, in order, or one field of them: SQL over `line json`.
  [[nodiscard]] std::vector<std::string> lines(const std::string& expression,
                                               const std::string& condition = "true") const;

  /// Transactions and lone messages that had been applied before, each as often as it was.
  [[nodiscard]] std::uint64_t repeated() const;

  /// Of those, the transactions.
  [[nodiscard]] std::uint64_t repeated_transactions() const;

  /// Writes all of it, but for what is `repeated`, as a JSON-lines file for the comparison with the
  /// oracle.
  void dump(const std::string& path) const;

private:
  [[nodiscard]] std::uint64_t count_again(const std::string& condition) const;

  const pg_cluster& server_;
  std::string name_;
};

} // namespace replicant::test
