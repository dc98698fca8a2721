// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/tests/support/pg_cluster.hpp"

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace replicant::test {

/// Makes the tables that the load writes, and the publication "shop". The table "audit" is not in
/// it.
void make_shop(const pg_cluster& server);

/// Settings of a server that the load needs.
[[nodiscard]] std::vector<std::string> shop_conf();

/// Writers that commit and roll back interleaved transactions of all kinds until told to stop: some
/// larger than a chunk, with savepoints, prepared, with truncates and changes of keys; one that
/// changes tables and the publication; one that writes what is not published. They outlive
/// restarts of the server.
class shop_load {
public:
  explicit shop_load(const pg_cluster& server, unsigned writers = 4);
  shop_load(const shop_load&) = delete;
  shop_load& operator=(const shop_load&) = delete;

  ~shop_load() { stop(); }

  /// Returns when no transaction is open any more.
  void stop();

  /// Transactions that were sent to their end, committed or not.
  [[nodiscard]] std::uint64_t transactions() const { return transactions_; }

private:
  /// Adds a thread that makes sessions and runs `work(session, ending)` in each; it returns when it
  /// is to end, and throws when the session is of no use any more.
  template <class Work>
  void employ(Work work);

  const pg_cluster& server_;
  std::atomic<std::uint64_t> transactions_{0};
  std::vector<std::jthread> threads_;
};

} // namespace replicant::test
