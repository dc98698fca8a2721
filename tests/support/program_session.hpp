// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/tests/support/sql_client.hpp"
#include "replicant/tests/support/told_history.hpp"

#include <cstdint>
#include <deque>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace replicant::test {

/// What the sessions of generated programs share.
struct program_world {
  /// A transaction that was prepared and waits for its end.
  struct prepared_one {
    std::string name;
    told_unit left;
  };

  std::mt19937 chance;
  std::uint64_t next_id = 1; ///< Of rows and messages.
  told_history history;
  std::deque<prepared_one> prepared;

  [[nodiscard]] std::uint64_t below(std::uint64_t limit) { return chance() % limit; }

  [[nodiscard]] bool one_in(std::uint64_t times) { return below(times) == 0; }

  /// @returns the first of so many new ids.
  std::uint64_t take_ids(std::uint64_t count) {
    const auto first = next_id;
    next_id += count;
    return first;
  }

  void record(told_unit unit) {
    if (!unit.events.empty())
      history.push_back(std::move(unit));
  }
};

/// One session of generated programs (transaction_programs.hpp): each step is one statement.
class program_session {
public:
  program_session(sql_client sql, unsigned who, program_world& world);

  void step();

  /// Ends the open transaction, if there is one.
  void finish();

private:
  /// What has to be known again after ROLLBACK TO.
  struct savepoint {
    std::string name;
    std::size_t events;
    std::vector<std::string> columns;
    std::set<std::string> altered;
  };

  /// Runs a statement. @returns false when a lock of another session was in its way; the
  /// transaction can then only be rolled back, to a savepoint or as a whole.
  bool run(const std::string& statement);

  void begin();
  void recover();
  void work();
  void insert();
  void update();
  void remove();
  void change(const std::string& verb, const std::string& table, const std::string& statement);
  void attempt();
  void say();
  void say_outside();
  void clear();
  void alter();
  void alter_own();
  void set_savepoint();
  void roll_back_to_savepoint();
  void release_savepoint();
  void end();
  void commit();
  void roll_back();
  void prepare();

  [[nodiscard]] std::string some_table();
  [[nodiscard]] std::uint64_t some_count();
  [[nodiscard]] std::string some_note();
  /// Whether its shape may be changed now.
  [[nodiscard]] bool alterable(const std::string& table) const;
  [[nodiscard]] std::string rows_of_ours(const std::string& table);
  void inserted(const std::string& table, std::uint64_t first, std::uint64_t count);
  [[nodiscard]] told_unit unit();
  void forget();

  sql_client sql_;
  std::string who_;
  std::string own_; ///< The table that is ours alone.
  program_world& world_;

  bool open_ = false;
  bool failed_ = false; ///< Nothing but a rollback is taken.
  std::vector<sql_client::row> answer_;
  std::vector<std::string> events_; ///< Of the open transaction, as long as they stand.
  std::vector<savepoint> savepoints_;
  std::vector<std::string> columns_;          ///< Of our table, besides those that it always has.
  std::vector<std::string> columns_at_begin_; ///< Those that come back with ROLLBACK.
  std::set<std::string> altered_;             ///< Tables that this transaction has altered.
  std::set<std::string> undone_;              ///< Of these, those where it was rolled back since.
};

} // namespace replicant::test
