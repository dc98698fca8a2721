// SPDX-License-Identifier: MIT
#include "replicant/tests/support/ledger_sink.hpp"

#include "replicant/core/telemetry/failpoint.hpp"

#include <libpq-fe.h>

#include <string_view>
#include <utility>

namespace replicant::test {

namespace {

result<void> pass(failpoint point) {
  return reach(point) == 0 ? result<void>{} : failure(reason::sink_failed);
}

/// COPY takes a backslash for an escape; nothing else of a JSON line means anything to it.
std::string for_copy(std::string_view lines) {
  std::string out;
  for (const auto one : lines)
    out.append(one == '\\' ? 2U : 1U, one);
  return out;
}

template <class Answer>
result<void> done(const result<Answer>& told) {
  return told ? result<void>{} : failure(told.error());
}

} // namespace

result<std::unique_ptr<sink>> ledger_sink::open(const std::string& conninfo, ledger_position when) {
  auto made = std::make_unique<ledger_sink>(conninfo, when);
  if (auto set = made->run("SELECT set_config('synchronous_commit', 'on', false), "
                           "set_config('client_encoding', 'UTF8', false)");
      !set)
    return failure(set.error());
  return made;
}

ledger_sink::ledger_sink(const std::string& conninfo, ledger_position when)
  : database_{PQconnectdb(conninfo.c_str()), PQfinish}, when_{when} {
  PQsetNoticeReceiver(
    database_.get(), [](void*, const PGresult*) {}, nullptr);
}

result<void> ledger_sink::handle_session_identity(const session_identity& source) {
  if (when_ == ledger_position::nowhere)
    return {};
  slot_ = source.slot_name;
  // FOR UPDATE waits for a commit that a killed life has left under way.
  const auto found = run("SELECT system_identifier, database, position FROM watermark "
                         "WHERE slot_name = $1 FOR UPDATE",
                         {slot_});
  if (!found)
    return failure(found.error());
  const auto* row = found->get();
  if (PQntuples(row) == 0)
    return {};
  held_.memory = sink_memory::prepared;
  if (PQgetisnull(row, 0, 2) == 0) {
    position_ = PQgetvalue(row, 0, 2);
    const auto position = parse_lsn(*position_);
    if (!position)
      return failure(reason::sink_unreadable);
    held_ = {sink_memory::position, watermark::through(*position)};
  }
  return judge_identity(
    source, {.system_identifier = PQgetvalue(row, 0, 0), .database = PQgetvalue(row, 0, 1)});
}

result<void> ledger_sink::handle_stream_start(stream_start how, const session_identity& source) {
  if (how == stream_start::resumed || when_ == ledger_position::nowhere)
    return {};
  return done(run("INSERT INTO watermark VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
                  {slot_, source.system_identifier, source.database}));
}

result<void> ledger_sink::handle_transaction(const transaction& txn) {
  return handle_batch({&txn, 1});
}

result<void> ledger_sink::handle_batch(std::span<const transaction> txns) {
  return append(watermark::through(txns.back().commit_lsn), [&]() -> result<void> {
    for (const auto& one : txns)
      if (auto written = write(one); !written)
        return written;
    return {};
  });
}

result<void> ledger_sink::handle_message(const logical_message& message) {
  return append(watermark::before(message.at), [&] {
    lines_.message(message);
    return send_lines();
  });
}

result<void> ledger_sink::handle_frontier(watermark reached) {
  return when_ == ledger_position::nowhere ? result<void>{} : move_to(reached);
}

result<void> ledger_sink::handle_schema_change(const schema_change& what) {
  lines_.announce(what);
  return {};
}

template <class Write>
result<void> ledger_sink::append(watermark reached, Write write) {
  auto good = pass(failpoint::before_write);
  if (good)
    good = done(run("BEGIN"));
  // The position first: its row's lock is what a later life waits for.
  if (good && when_ == ledger_position::with_rows)
    good = move_to(reached);
  if (good)
    good = done(run("COPY ledger (line) FROM STDIN", {}, PGRES_COPY_IN));
  if (good)
    good = write();
  if (good && PQputCopyEnd(database_.get(), nullptr) != 1)
    good = failure(reason::sink_failed);
  if (good)
    good = done(judge(PQgetResult(database_.get()), PGRES_COMMAND_OK));
  while (auto* more = PQgetResult(database_.get()))
    PQclear(more);
  if (good)
    good = pass(failpoint::before_fsync);
  if (good)
    good = done(run("COMMIT"));
  if (good)
    good = pass(failpoint::after_fsync);
  return good && when_ == ledger_position::behind_rows ? move_to(reached) : good;
}

result<void> ledger_sink::write(const transaction& txn) {
  lines_.begin(txn);
  for (const auto& one : txn.events()) {
    auto added = lines_.add(one);
    if (added)
      added = send_lines();
    if (added)
      added = pass(failpoint::inside_transaction);
    if (!added)
      return added;
  }
  lines_.commit();
  return send_lines();
}

result<void> ledger_sink::send_lines() {
  const auto rows = for_copy(lines_.pending());
  lines_.taken();
  if (PQputCopyData(database_.get(), rows.data(), static_cast<int>(rows.size())) != 1)
    return failure(reason::sink_failed);
  return {};
}

/// Compares and sets: a life that has lost the slot to another one writes nothing more.
result<void> ledger_sink::move_to(watermark reached) {
  const auto before = std::exchange(position_, to_string(reached.position()));
  const auto moved = run("UPDATE watermark SET position = $2 WHERE slot_name = $1 AND position IS "
                         "NOT DISTINCT FROM $3",
                         {slot_, position_, before});
  if (moved && std::string_view{PQcmdTuples(moved->get())} != "1")
    return failure(reason::sink_locked);
  return done(moved);
}

result<ledger_sink::answer> ledger_sink::run(const char* sql, const std::vector<text>& values,
                                             int expected) {
  std::vector<const char*> texts;
  for (const auto& one : values)
    texts.push_back(one ? one->c_str() : nullptr);
  return judge(PQexecParams(database_.get(), sql, static_cast<int>(texts.size()), nullptr,
                            texts.data(), nullptr, nullptr, 0),
               expected);
}

/// Of an error only the SQLSTATE leaves, as the server's words may quote a row. `expected` is -1
/// for any success.
result<ledger_sink::answer> ledger_sink::judge(pg_result* told, int expected) const {
  answer kept{told, PQclear};
  const auto how = PQresultStatus(told);
  if (expected < 0 ? how == PGRES_COMMAND_OK || how == PGRES_TUPLES_OK : how == expected)
    return kept;
  const auto* code = PQresultErrorField(told, PG_DIAG_SQLSTATE);
  return failure({.why = reason::sink_failed, .code = sqlstate{code == nullptr ? "" : code}});
}

} // namespace replicant::test
