// SPDX-License-Identifier: MIT
// A program of its own with a pipeline in it: every change of the table `orders` becomes one row of
// the table `order_log` (order_log.sql) of another database, exactly once, whatever is killed when.
#include "replicant/actors/log_observer.hpp"
#include "replicant/actors/pipeline.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/send.hpp>
#include <libpq-fe.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace {

using replicant::failure;
using replicant::reason;
using replicant::result;

using session = std::unique_ptr<PGconn, decltype([](PGconn* one) { PQfinish(one); })>;
using answer = std::unique_ptr<PGresult, decltype([](PGresult* one) { PQclear(one); })>;
using text = std::optional<std::string>;

/// The value of a column. Nothing for NULL, and for a long value that the update did not touch.
text value_of(const replicant::change& change, std::string_view column) {
  const auto row = change.op == replicant::operation::remove ? change.old : change.record;
  const auto& columns = change.table->columns;
  for (std::size_t i = 0; i < row.size(); ++i)
    if (columns[i].name == column && row[i].kind == replicant::cell_kind::text)
      return std::string{row[i].bytes};
  return {};
}

/// Keeps rows and position in one transaction: what is in the log is never asked for again.
class order_log final : public replicant::sink,
                        public replicant::session_sink,
                        public replicant::frontier_sink {
public:
  static result<std::unique_ptr<replicant::sink>> open(const std::string& conninfo) {
    auto log = std::make_unique<order_log>(session{PQconnectdb(conninfo.c_str())});
    // On return from a commit it is on disk, and what the source sends is UTF-8.
    if (auto set = log->run("SELECT set_config('synchronous_commit', 'on', false),"
                            " set_config('client_encoding', 'UTF8', false)");
        !set)
      return failure(set.error());
    return log;
  }

  explicit order_log(session database) : database_{std::move(database)} {
    // The server's words may quote a row: they are not for a terminal.
    PQsetNoticeReceiver(
      database_.get(), [](void*, const PGresult*) {}, nullptr);
  }

  result<void> handle_session_identity(const replicant::session_identity& source) override {
    slot_ = source.slot_name;
    // FOR UPDATE waits for a commit that a killed life of this program has left under way.
    const auto found = run("SELECT system_identifier, database, position FROM order_log_position"
                           " WHERE slot_name = $1 FOR UPDATE",
                           {slot_});
    if (!found)
      return failure(found.error());
    const auto* row = found->get();
    if (PQntuples(row) == 0)
      return {};
    held_.memory = replicant::sink_memory::prepared;
    if (PQgetisnull(row, 0, 2) == 0) {
      position_ = PQgetvalue(row, 0, 2);
      const auto position = replicant::parse_lsn(*position_);
      if (!position)
        return failure(reason::sink_unreadable);
      held_ = {replicant::sink_memory::position, replicant::watermark::through(*position)};
    }
    return judge_identity(
      source, {.system_identifier = PQgetvalue(row, 0, 0), .database = PQgetvalue(row, 0, 1)});
  }

  result<replicant::sink_checkpoint> checkpoint() override { return held_; }

  result<void> handle_stream_start(replicant::stream_start how,
                                   const replicant::session_identity& source) override {
    if (how == replicant::stream_start::resumed)
      return {};
    return done(run("INSERT INTO order_log_position VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
                    {slot_, source.system_identifier, source.database}));
  }

  result<void> handle_transaction(const replicant::transaction& txn) override {
    auto good = done(run("BEGIN"));
    // The position first: its row's lock is what a later life of this program waits for.
    if (good)
      good = move_to(replicant::watermark::through(txn.commit_lsn));
    for (const auto& event : txn.events())
      if (const auto* change = std::get_if<replicant::change>(&event);
          good && change != nullptr && change->table->name == "orders")
        good = write(*change, to_string(txn.commit_lsn));
    return good ? done(run("COMMIT")) : good;
  }

  result<void> handle_frontier(replicant::watermark reached) override { return move_to(reached); }

private:
  /// Compares and sets: a life that has lost the slot to another one writes nothing more.
  result<void> move_to(replicant::watermark reached) {
    const auto before = std::exchange(position_, to_string(reached.position()));
    const auto moved = run("UPDATE order_log_position SET position = $2 WHERE slot_name = $1"
                           " AND position IS NOT DISTINCT FROM $3",
                           {slot_, position_, before});
    if (moved && std::string_view{PQcmdTuples(moved->get())} != "1")
      return failure(reason::sink_locked);
    return done(moved);
  }

  result<void> write(const replicant::change& change, const std::string& commit_lsn) {
    constexpr std::array names{"insert", "update", "delete", "truncate"};
    return done(run("INSERT INTO order_log (commit_lsn, operation, id, amount)"
                    " VALUES ($1, $2, $3, $4)",
                    {commit_lsn, names.at(static_cast<std::size_t>(change.op)),
                     value_of(change, "id"), value_of(change, "amount")}));
  }

  /// One statement. Of an error only the SQLSTATE leaves, as the server's words may quote a row.
  result<answer> run(const char* sql, const std::vector<text>& values = {}) {
    std::vector<const char*> texts;
    for (const auto& value : values)
      texts.push_back(value ? value->c_str() : nullptr);
    answer told{PQexecParams(database_.get(), sql, static_cast<int>(texts.size()), nullptr,
                             texts.data(), nullptr, nullptr, 0)};
    if (const auto how = PQresultStatus(told.get());
        how == PGRES_COMMAND_OK || how == PGRES_TUPLES_OK)
      return told;
    const auto* code = PQresultErrorField(told.get(), PG_DIAG_SQLSTATE);
    return failure(
      {.why = reason::sink_failed, .code = replicant::sqlstate{code == nullptr ? "" : code}});
  }

  static result<void> done(const result<answer>& told) {
    return told ? result<void>{} : failure(told.error());
  }

  session database_;
  std::string slot_;
  text position_; ///< As it stands in the table.
  replicant::sink_checkpoint held_{.memory = replicant::sink_memory::empty};
};

/// An actor of the host's own, beside the pipeline's.
caf::behavior teller(caf::event_based_actor* /*self*/, std::string what) {
  return {[what = std::move(what)](std::uint64_t transactions) {
    std::cout << what << ": " << transactions << " transactions" << std::endl;
  }};
}

struct host_config : caf::actor_system_config {
  // CAF's own choice, stealing, looks for work all the time (docs/embedding.md).
  host_config() { set("scheduler.policy", caf::atom("sharing")); }
};

} // namespace

int main() {
  const auto* source = std::getenv("ORDERS_SOURCE"); // Connection strings. Not as arguments:
  const auto* target = std::getenv("ORDERS_TARGET"); // everybody can read those.
  if (source == nullptr || target == nullptr) {
    std::cerr << "ORDERS_SOURCE and ORDERS_TARGET have to name two databases\n";
    return 2;
  }
  sigset_t ending; // Before there are threads, which take the mask over.
  sigemptyset(&ending);
  sigaddset(&ending, SIGINT);
  sigaddset(&ending, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ending, nullptr);

  host_config config;
  caf::actor_system system{config}; // Before every handle: it waits for actors that have one.
  const auto tell = system.spawn(teller, "order_log");
  replicant::pipeline_settings settings;
  settings.name = "orders";
  settings.slot_name = "order_log";
  settings.publications = {"orders"};
  settings.go_forward_only = true; // The first start makes the slot and begins at that moment.
  settings.conninfo = source;
  const auto pipeline = replicant::start(
    system, settings, [target] { return order_log::open(target); },
    std::make_shared<replicant::log_observer>(replicant::runtime_settings{}));

  constexpr timespec second{.tv_sec = 1, .tv_nsec = 0};
  while (sigtimedwait(&ending, nullptr, &second) < 0) {
    const auto now = replicant::status(system, pipeline);
    if (now.phase == replicant::pipeline_phase::halted)
      break; // The log has told why, and what to do.
    caf::anon_send(tell, now.transactions);
  }
  const auto last = replicant::stop(system, pipeline);
  return last.phase == replicant::pipeline_phase::stopped ? 0 : 1;
}
