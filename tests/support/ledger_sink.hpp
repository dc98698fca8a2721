// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/sinks/jsonl/line_writer.hpp"
#include "replicant/core/delivery/sink.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

struct pg_conn;
struct pg_result;

namespace replicant::test {

/// When a `ledger_sink` writes where it stands.
enum class ledger_position {
  with_rows,   ///< In their transaction: each effect once.
  behind_rows, ///< In a transaction that follows: what lies between the two comes again.
  nowhere,     ///< It is for a checkpoint store.
};

/// A transactional sink: what it is given becomes lines of an append-only table without a key, in
/// one transaction of the target with the position. A row that is applied twice is there twice, so
/// the table counts effects. Has every capability but deferral; the tables are those of
/// `ledger_database`.
///
/// The failure points: before_write before its transaction, inside_transaction when a part is
/// written, before_fsync before its COMMIT and after_fsync right behind it.
class ledger_sink final : public sink,
                          public batch_sink,
                          public frontier_sink,
                          public message_sink,
                          public schema_change_sink,
                          public session_sink {
public:
  /// @fault sink_failed when the target cannot be reached.
  static result<std::unique_ptr<sink>> open(const std::string& conninfo,
                                            ledger_position when = ledger_position::with_rows);

  ledger_sink(const std::string& conninfo, ledger_position when);

  result<void> handle_session_identity(const session_identity& source) override;

  result<sink_checkpoint> checkpoint() override { return held_; }

  result<void> handle_stream_start(stream_start how, const session_identity& source) override;
  result<void> handle_transaction(const transaction& txn) override;
  result<void> handle_batch(std::span<const transaction> txns) override;
  result<void> handle_message(const logical_message& message) override;
  result<void> handle_frontier(watermark reached) override;
  result<void> handle_schema_change(const schema_change& what) override;

private:
  using answer = std::unique_ptr<pg_result, void (*)(pg_result*)>;
  using text = std::optional<std::string>;

  /// One transaction of the target, with the lines that `write` makes; and the position.
  template <class Write>
  result<void> append(watermark reached, Write write);
  result<void> write(const transaction& txn);
  result<void> send_lines();
  result<void> move_to(watermark reached);
  result<answer> run(const char* sql, const std::vector<text>& values = {}, int expected = -1);
  result<answer> judge(pg_result* told, int expected) const;

  std::unique_ptr<pg_conn, void (*)(pg_conn*)> database_;
  ledger_position when_;
  std::string slot_;
  text position_; ///< As it stands in the table.
  sink_checkpoint held_{.memory = sink_memory::empty};
  line_writer lines_;
};

} // namespace replicant::test
