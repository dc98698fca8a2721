// SPDX-License-Identifier: MIT
#include "replicant/tests/support/program_session.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace replicant::test {

namespace {

constexpr std::size_t deepest = 5;       ///< Savepoints in each other.
constexpr std::size_t most_prepared = 3; ///< Their locks are in everybody's way.

} // namespace

program_session::program_session(sql_client sql, unsigned who, program_world& world)
  : sql_{std::move(sql)},
    who_{std::to_string(who)},
    own_{"own_" + std::to_string(who)},
    world_{world} {
  // Nobody moves while one waits: a lock that is held now is held then.
  sql_.exec("SET lock_timeout = '20ms'");
}

bool program_session::run(const std::string& statement) {
  try {
    answer_ = sql_.exec(statement);
    return true;
  } catch (const std::runtime_error& problem) {
    if (std::string{problem.what()}.find("lock timeout") == std::string::npos)
      throw;
    failed_ = open_;
    return false;
  }
}

void program_session::step() {
  if (failed_)
    recover();
  else if (!open_)
    world_.one_in(12) ? say_outside() : begin();
  else
    work();
}

void program_session::begin() {
  run("BEGIN");
  open_ = true;
  columns_at_begin_ = columns_;
}

void program_session::recover() {
  if (savepoints_.empty() || world_.one_in(3))
    roll_back();
  else
    roll_back_to_savepoint();
}

void program_session::work() {
  using self = program_session;
  static constexpr std::array<std::pair<unsigned, void (self::*)()>, 11> ways{
    {{30, &self::insert},
     {12, &self::update},
     {8, &self::remove},
     {6, &self::attempt},
     {6, &self::say},
     {2, &self::say_outside},
     {4, &self::clear},
     {6, &self::alter},
     {12, &self::set_savepoint},
     {10, &self::release_savepoint},
     {9, &self::end}}};
  std::uint64_t sum = 0;
  for (const auto& [weight, way] : ways)
    sum += weight;
  auto drawn = world_.below(sum);
  for (const auto& [weight, way] : ways) {
    if (drawn < weight)
      return (this->*way)();
    drawn -= weight;
  }
}

std::string program_session::some_table() {
  const std::array<std::string, 8> all{"mixed",  "mixed", "whole", "divided",
                                       "hidden", own_,    own_,    "whole"};
  return all.at(world_.below(all.size()));
}

std::uint64_t program_session::some_count() {
  if (world_.one_in(2))
    return 1;
  return world_.one_in(3) ? 100 + world_.below(300) : 2 + world_.below(20);
}

std::string program_session::some_note() {
  switch (world_.below(4)) {
    case 0: return "NULL";
    case 1: return "repeat(md5(n::text), 80)"; // Kept out of line.
    case 2: return "'it''s \"' || n || E'\"\\n'";
    default: return "repeat(md5(n::text), " + std::to_string(1 + world_.below(12)) + ")";
  }
}

void program_session::inserted(const std::string& table, std::uint64_t first, std::uint64_t count) {
  if (table == "hidden")
    return;
  // Which part of it follows from the bounds in transaction_programs.cpp.
  const auto name = table != "divided" ? table : who_ < "2" ? "divided_low" : "divided_high";
  for (auto id = first; id < first + count; ++id)
    events_.push_back("insert " + std::string{name} + " " + std::to_string(id));
}

void program_session::insert() {
  const auto table = some_table();
  const auto note = some_note();
  // Rows that are out of line make much of a few.
  const auto count = note.find("80") == std::string::npos ? some_count() : 1 + some_count() / 10;
  const auto first = world_.take_ids(count);
  if (run("INSERT INTO " + table + " (id, who, note) SELECT n, " + who_ + ", " + note +
          " FROM generate_series(" + std::to_string(first) + ", " +
          std::to_string(first + count - 1) + ") n"))
    inserted(table, first, count);
}

std::string program_session::rows_of_ours(const std::string& table) {
  return " WHERE who = " + who_ + " AND id IN (SELECT id FROM " + table + " WHERE who = " + who_ +
         " ORDER BY id DESC LIMIT " + std::to_string(some_count()) + ")";
}

void program_session::change(const std::string& verb, const std::string& table,
                             const std::string& statement) {
  if (!run(statement + " RETURNING tableoid::regclass, id") || table == "hidden")
    return;
  for (const auto& row : answer_)
    events_.push_back(verb + " " + row.at(0).value() + " " + row.at(1).value());
}

void program_session::update() {
  const auto table = some_table();
  const std::array<std::string, 3> ways{"mark = mark + 1", "note = md5(id::text) || mark",
                                        "id = -id"};
  change("update", table,
         "UPDATE " + table + " SET " + ways.at(world_.below(ways.size())) + rows_of_ours(table));
}

void program_session::remove() {
  const auto table = some_table();
  change("delete", table, "DELETE FROM " + table + rows_of_ours(table));
}

/// PL/pgSQL has subtransactions of its own.
void program_session::attempt() {
  const auto fails = world_.one_in(2);
  const auto count = some_count();
  const auto first = world_.take_ids(2 * count + 1);
  if (!run("SELECT attempt(" + std::to_string(first) + ", " + std::to_string(count) + ", " + who_ +
           ", repeat('a', 300), " + (fails ? "true" : "false") + ")"))
    return;
  inserted("mixed", first, fails ? count : 2 * count);
  if (fails)
    inserted("mixed", first + 2 * count, 1);
}

/// A message counts as standing where its record ends. That is where the next begins, and when this
/// is of another subtransaction, the server may send it first: so something of ours follows.
void program_session::say() {
  const auto id = std::to_string(world_.take_ids(1));
  const auto name = "in_" + id;
  if (run("SELECT pg_logical_emit_message(true, '" + name + "', repeat('m', " +
          (world_.one_in(5) ? "100000" : "10") + "))") &&
      run("INSERT INTO hidden (id, who) VALUES (" + id + ", " + who_ + ")"))
    events_.push_back("message " + name);
}

/// Stands where it is said, whatever becomes of a transaction around it.
void program_session::say_outside() {
  const auto name = "out_" + std::to_string(world_.take_ids(1));
  if (run("SELECT pg_logical_emit_message(false, '" + name + "', 'x')"))
    world_.record({.events = {"message " + name}});
}

bool program_session::alterable(const std::string& table) const {
  // A server whose reader is behind ends the stream with "could not map filenode" when a table is
  // altered, that was rolled back to a savepoint after a part was streamed, and the same
  // transaction alters it again. So do all of 14 to 18.
  return !undone_.contains(table);
}

void program_session::clear() {
  const auto table = world_.one_in(4) ? std::string{"mixed"} : own_;
  if (!alterable(table))
    return insert();
  const auto with_hidden = world_.one_in(6);
  altered_.insert(table);
  if (run("TRUNCATE " + table + (with_hidden ? ", hidden" : "")))
    events_.push_back("truncate " + table);
}

void program_session::alter() {
  if (!world_.one_in(5))
    return alterable(own_) ? alter_own() : insert();
  if (!alterable("mixed"))
    return insert();
  altered_.insert("mixed");
  run(world_.one_in(2) ? "ALTER TABLE mixed ADD COLUMN IF NOT EXISTS extra int DEFAULT 3"
                       : "ALTER TABLE mixed DROP COLUMN IF EXISTS extra");
}

void program_session::alter_own() {
  altered_.insert(own_);
  const auto fresh = "c" + std::to_string(world_.take_ids(1));
  const auto table = "ALTER TABLE " + own_;
  if (columns_.empty() || (columns_.size() < 4 && world_.one_in(2))) {
    if (run(table + " ADD COLUMN " + fresh + (world_.one_in(2) ? " int DEFAULT 7" : " text")))
      columns_.push_back(fresh);
  } else if (world_.one_in(2)) {
    if (run(table + " RENAME COLUMN " + columns_.back() + " TO " + fresh))
      columns_.back() = fresh;
  } else if (run(table + " DROP COLUMN " + columns_.back())) {
    columns_.pop_back();
  }
}

void program_session::set_savepoint() {
  if (savepoints_.size() >= deepest)
    return release_savepoint();
  const auto name = "s" + std::to_string(world_.take_ids(1));
  run("SAVEPOINT " + name);
  savepoints_.push_back({name, events_.size(), columns_, altered_});
}

void program_session::roll_back_to_savepoint() {
  // Those behind it go with it; itself it stays.
  const auto at = world_.below(savepoints_.size());
  const auto& back = savepoints_[at];
  run("ROLLBACK TO " + back.name);
  failed_ = false;
  events_.resize(back.events);
  columns_ = back.columns;
  std::ranges::set_difference(altered_, back.altered, std::inserter(undone_, undone_.end()));
  altered_ = back.altered;
  savepoints_.resize(at + 1);
}

void program_session::release_savepoint() {
  if (savepoints_.empty())
    return insert();
  if (!world_.one_in(3))
    return roll_back_to_savepoint();
  const auto at = world_.below(savepoints_.size());
  run("RELEASE " + savepoints_[at].name);
  savepoints_.resize(at);
}

void program_session::end() {
  const auto drawn = world_.below(10);
  if (drawn < 2)
    roll_back();
  else if (drawn < 4 && world_.prepared.size() < most_prepared)
    prepare();
  else
    commit();
}

told_unit program_session::unit() {
  // Frozen and big ones aside, as logical decoding knows it: without the epoch.
  const auto xid = sql_.value("SELECT pg_current_xact_id_if_assigned()");
  return {xid.empty() ? 0 : static_cast<std::uint32_t>(std::stoul(xid)), std::move(events_)};
}

void program_session::forget() {
  open_ = failed_ = false;
  events_.clear();
  savepoints_.clear();
  altered_.clear();
  undone_.clear();
}

void program_session::commit() {
  auto left = unit();
  run("COMMIT");
  world_.record(std::move(left));
  forget();
}

void program_session::roll_back() {
  run("ROLLBACK");
  columns_ = columns_at_begin_;
  forget();
}

void program_session::prepare() {
  // Its fate would decide what columns there are.
  if (altered_.contains(own_))
    return commit();
  auto left = unit();
  const auto name = "p" + std::to_string(world_.take_ids(1));
  run("PREPARE TRANSACTION '" + name + "'");
  world_.prepared.push_back({name, std::move(left)});
  forget();
}

void program_session::finish() {
  if (!open_)
    return;
  if (failed_)
    roll_back();
  else
    commit();
}

} // namespace replicant::test
