// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/assembly/assembly_news.hpp"
#include "replicant/core/assembly/open_memory.hpp"
#include "replicant/core/assembly/open_transaction.hpp"
#include "replicant/core/assembly/relation_cache.hpp"
#include "replicant/core/assembly/schema_memory.hpp"
#include "replicant/core/assembly/spill.hpp"
#include "replicant/core/delivery/chunk.hpp"
#include "replicant/core/delivery/delivery.hpp"
#include "replicant/core/delivery/watermark.hpp"
#include "replicant/core/model/result.hpp"
#include "replicant/core/protocol/pgoutput.hpp"
#include "replicant/core/protocol/stream_dialect.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace replicant {

/// What transactions that are still open may take, and how they come.
struct open_rules {
  stream_dialect dialect;
  std::uint64_t max_inflight_bytes = std::numeric_limits<std::uint64_t>::max();
  std::uint32_t max_concurrent_txns = 64;      ///< Streamed, at a time.
  std::shared_ptr<spill_area> spill = nullptr; ///< Null: nothing may be spilled.
};

/// Folds the chunks of one stream into deliveries: messages to committed transactions.
///
/// A transaction comes whole, with its commit known, or in segments while it is open, which
/// alternate with those of others and with whole transactions. Either way it is delivered at its
/// commit, in the order of commits, and what was rolled back never is. Where that cannot be known,
/// because messages do not tell their subtransaction, the stream ends as `rollback_undecided`.
///
/// Fails closed with `decode_failure`: on bytes that are not pgoutput, messages out of their order,
/// rows outside of a transaction or before their relation, a row that does not fit its relation,
/// and a position at or below one that was already promised on this stream (skipping it would lose
/// it in silence).
class stream_assembler {
public:
  /// Transactions and messages that `resume` covers are durable already and are left out.
  /// With `tell_origin` the first delivery tells `resume` itself, for a sink that holds no position
  /// yet. Tables are compared with `known`, and what has changed is told before the transaction
  /// that shows it; of one that is left out nothing is told nor learned.
  stream_assembler(watermark resume, bool tell_origin, schema_memory known = {},
                   const open_rules& rules = {})
    : dialect_{rules.dialect},
      max_concurrent_txns_{rules.max_concurrent_txns},
      memory_{rules.max_inflight_bytes, rules.spill},
      resume_{resume},
      reached_{resume},
      handed_out_{tell_origin ? watermark{} : resume},
      schemas_{std::move(known)} {}

  /// Takes the next chunk. @returns what it completed; may be empty.
  /// After a fault the object must not be used again.
  /// @fault beside decode_failure: too_many_streams, and as open_memory.
  [[nodiscard]] result<delivery> consume(const std::shared_ptr<const chunk>& source);

  /// Payload bytes held in memory for transactions that are still open.
  [[nodiscard]] std::uint64_t open_bytes() const { return held_bytes_; }

  /// How many are open.
  [[nodiscard]] std::size_t open_transactions() const { return streams_.size() + (whole_ ? 1 : 0); }

  /// What has happened since the last call.
  [[nodiscard]] assembly_news take_news() { return std::exchange(news_, {}); }

private:
  struct whole_transaction {
    begin_message begin;
    open_transaction content;
  };

  [[nodiscard]] result<void> on_frame(std::string_view frame);
  [[nodiscard]] result<void> on(const begin_message& message);
  [[nodiscard]] result<void> on(const commit_message& message);
  [[nodiscard]] result<void> on(const row_message& message);
  [[nodiscard]] result<void> on(const truncate_message& message);
  [[nodiscard]] result<void> on(const logical_message& message);
  [[nodiscard]] result<void> on(const stream_start_message& message);
  [[nodiscard]] result<void> on(const stream_stop_message& message);
  [[nodiscard]] result<void> on(const stream_commit_message& message);
  [[nodiscard]] result<void> on(const stream_abort_message& message);
  [[nodiscard]] result<void> on(relation& shape);

  [[nodiscard]] static result<void> on(const origin_message& /*ignored*/) { return {}; }

  [[nodiscard]] static result<void> on(const type_message& /*ignored*/) { return {}; }

  using streams = std::vector<std::unique_ptr<open_transaction>>;

  [[nodiscard]] streams::iterator find_stream(std::uint32_t xid);
  [[nodiscard]] std::vector<open_transaction*> open() const;
  [[nodiscard]] const std::shared_ptr<const relation>* shape_of(std::uint32_t oid) const;
  [[nodiscard]] bool in_segment() const;
  [[nodiscard]] bool may_write() const;
  [[nodiscard]] kept_event keep(std::string_view body) const;
  [[nodiscard]] result<void> commit(const open_transaction& done, lsn at, timestamp time);
  void tell_changes(const collected_body& body, lsn commit);
  [[nodiscard]] result<void> hand_out(delivery_item item);
  [[nodiscard]] result<void> promise(watermark position);
  [[nodiscard]] result<void> close_chunk(const std::shared_ptr<const chunk>& source);

  stream_dialect dialect_;
  std::uint32_t max_concurrent_txns_;
  open_memory memory_;
  watermark resume_;
  watermark reached_;    ///< What the stream has promised so far.
  watermark handed_out_; ///< What deliveries have told of it.
  relation_cache relations_;
  std::uint64_t announcements_ = 0; ///< On this stream, to whomever.
  schema_memory schemas_;
  pgoutput_decoder decoder_;
  std::unique_ptr<whole_transaction> whole_; ///< Between begin and commit.
  streams streams_;                          ///< Open, in the order of their first segments.
  open_transaction* writing_ = nullptr;      ///< To which events belong now; null for none.
  std::uint64_t held_bytes_ = 0; ///< Charged by chunks and not yet given back by a delivery.
  assembly_news news_;

  // Of the chunk being consumed:
  delivery made_;
  wire_message message_;
  lsn at_{};
};

} // namespace replicant
