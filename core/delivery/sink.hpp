// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/delivery/state_entry.hpp"
#include "replicant/core/delivery/watermark.hpp"
#include "replicant/core/model/result.hpp"
#include "replicant/core/model/schema_change.hpp"
#include "replicant/core/model/session_identity.hpp"
#include "replicant/core/model/transaction.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace replicant {

/// What a sink remembers of its source before a stream begins.
enum class sink_memory : std::uint8_t {
  none,     ///< It never remembers anything (null, standard output).
  empty,    ///< It could remember, and provably holds nothing: no header, no row.
  prepared, ///< It knows its source but holds no position yet.
  position, ///< It holds a position.
};

/// A sink's memory and, for `position`, what it promises.
struct sink_checkpoint {
  sink_memory memory = sink_memory::none;
  watermark durable{};
  /// Bytes behind all that is whole, as a crash leaves them; cut off before the stream starts.
  std::uint64_t torn_bytes = 0;
  /// The last entry of each name that a `state_sink` was given and has made durable, in any order.
  std::vector<state_entry> state{};
};

/// Receives committed transactions and makes them durable.
///
/// A new object is made by the host's factory for every generation of the pipeline, and only after
/// the old one is gone. All calls come one at a time from one thread, which may block. The order
/// is: the session calls (if it is a `session_sink`), `checkpoint`, then transactions in ascending
/// commit order. A position is acknowledged to the server only after the sink has made it durable,
/// and what is acknowledged is always our own position, never one that a sink returns. An exception
/// is caught, its text dropped, and means `sink_failed`.
class sink {
public:
  virtual ~sink() = default;

  /// What the sink holds: by default it remembers nothing. Called once, before anything is
  /// delivered; nothing may be written yet. Never called when a checkpoint store keeps the
  /// position.
  [[nodiscard]] virtual result<sink_checkpoint> checkpoint() { return sink_checkpoint{}; }

  /// Takes a transaction. On return it is durable, unless the sink is also a `deferred_sink`.
  /// @fault nothing of this transaction is acknowledged. What follows is decided by the reason
  /// (`disposition_of`): `sink_failed` halts the pipeline; one that time cures ends the generation,
  /// and the next sink is given the transaction again.
  /// @warning `txn` and everything it refers to are valid only during the call.
  [[nodiscard]] virtual result<void> handle_transaction(const transaction& txn) = 0;
};

/// A sink that makes many transactions durable in one step.
class deferred_sink {
public:
  virtual ~deferred_sink() = default;

  /// Makes everything handled so far durable. @fault as for `handle_transaction`.
  [[nodiscard]] virtual result<void> make_durable() = 0;

  /// How long handled transactions may wait for `make_durable`; zero: at the end of every delivery.
  [[nodiscard]] virtual std::chrono::milliseconds durability_interval() const = 0;
};

/// A sink that takes several transactions in one step. Used when the host asks for it
/// (`batch_delivery`); then `handle_transaction` is never called.
class batch_sink {
public:
  virtual ~batch_sink() = default;

  /// Takes at least one transaction, in ascending commit order, as one: all of them and the
  /// position of the last, or nothing. On return they are durable, unless the sink is also a
  /// `deferred_sink`, whose `make_durable` follows at once.
  /// @fault any fault ends the generation; nothing of the batch is acknowledged, and all of it is
  /// delivered again, perhaps otherwise divided.
  /// @warning the transactions and everything they refer to are valid only during the call.
  [[nodiscard]] virtual result<void> handle_batch(std::span<const transaction> txns) = 0;
};

/// A sink that persists positions between transactions, so that a slot can advance over traffic
/// that is not published and a slot found ahead of the sink proves that somebody else moved it.
class frontier_sink {
public:
  virtual ~frontier_sink() = default;

  /// Remembers that everything up to `reached` has been delivered. Durable as for a transaction.
  [[nodiscard]] virtual result<void> handle_frontier(watermark reached) = 0;
};

/// A sink that keeps what the library has to remember beside the position.
class state_sink {
public:
  virtual ~state_sink() = default;

  /// Remembers `entry` in the place of the one of its name; `checkpoint` gives it back. It belongs
  /// to the transaction, batch, message or idle position that is handed over next, and must become
  /// durable together with that, or after it, but never before: what is remembered of a transaction
  /// that comes again would be taken for old.
  [[nodiscard]] virtual result<void> handle_state(const state_entry& entry) = 0;
};

/// A sink that takes the messages of pg_logical_emit_message which stand outside of transactions.
class message_sink {
public:
  virtual ~message_sink() = default;

  /// Takes a non-transactional message; it may be repeated after a crash unless the sink persists
  /// its position.
  [[nodiscard]] virtual result<void> handle_message(const logical_message& message) = 0;
};

/// A sink that wants to know when a published table has changed its shape, and judges it. Without
/// this capability a change that is destructive halts the pipeline, and others are passed over.
class schema_change_sink {
public:
  virtual ~schema_change_sink() = default;

  /// Called directly before the transaction at `what.at`, the first with rows of the new shape, and
  /// after everything before it. Rows of that transaction may have the old shape still when the
  /// table was altered inside of it. May be called again for the same change when this generation
  /// fails, or this transaction was not yet durable.
  /// @returns success to accept the change, a destructive one too: its rows follow.
  /// @fault halts the pipeline before the transaction; `refuse_destructive` gives the usual one.
  [[nodiscard]] virtual result<void> handle_schema_change(const schema_change& what) = 0;
};

/// How a stream is about to begin.
enum class stream_start : std::uint8_t {
  fresh,   ///< The slot is about to be created: whatever identifies the source must be durable on
           ///< return.
  resumed, ///< The slot exists and fits what the sink holds.
};

/// A sink that ties itself to one source.
class session_sink {
public:
  virtual ~session_sink() = default;

  /// Compares the source with the one remembered. Called before anything else; must write nothing.
  /// @fault session_identity_rejected when it is another one (see `judge_identity`).
  [[nodiscard]] virtual result<void> handle_session_identity(const session_identity& identity) = 0;

  /// The start has been judged safe: from here on the sink may write.
  [[nodiscard]] virtual result<void> handle_stream_start(stream_start how,
                                                         const session_identity& identity) = 0;
};

/// Makes the sink of one generation. Called on the thread that will use it.
/// @fault sink_failed, sink_locked or sink_unreadable halts the pipeline.
using sink_factory = std::function<result<std::unique_ptr<sink>>()>;

} // namespace replicant
