// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/assembly/memory_body.hpp"
#include "replicant/core/assembly/relation_cache.hpp"
#include "replicant/core/assembly/schema_memory.hpp"
#include "replicant/core/delivery/chunk.hpp"
#include "replicant/core/delivery/delivery.hpp"
#include "replicant/core/delivery/watermark.hpp"
#include "replicant/core/model/result.hpp"
#include "replicant/core/protocol/pgoutput.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace replicant {

/// Folds the chunks of one stream into deliveries: messages to committed transactions.
///
/// Fails closed with `decode_failure`: on bytes that are not pgoutput, rows outside of a
/// transaction or before their relation, a row that does not fit its relation, and a position at or
/// below one that was already promised on this stream (skipping it would lose it in silence).
class stream_assembler {
public:
  /// Transactions and messages that `resume` covers are durable already and are left out.
  /// With `tell_origin` the first delivery tells `resume` itself, for a sink that holds no position
  /// yet. Tables are compared with `known`, and what has changed is told before the transaction
  /// that shows it; of one that is left out nothing is told nor learned.
  stream_assembler(watermark resume, bool tell_origin, schema_memory known = {})
    : resume_{resume},
      reached_{resume},
      handed_out_{tell_origin ? watermark{} : resume},
      schemas_{std::move(known)} {}

  /// Takes the next chunk. @returns what it completed; may be empty.
  /// After a fault the object must not be used again.
  [[nodiscard]] result<delivery> consume(const std::shared_ptr<const chunk>& source);

  /// Payload bytes held for the transaction that is still open.
  [[nodiscard]] std::uint64_t open_bytes() const {
    return open_ ? open_->body->detached_bytes() : 0;
  }

private:
  struct open_transaction {
    begin_message begin;
    std::shared_ptr<memory_body> body;
  };

  [[nodiscard]] result<void> on_frame(std::string_view frame);
  [[nodiscard]] result<void> on(const begin_message& message);
  [[nodiscard]] result<void> on(const commit_message& message);
  [[nodiscard]] result<void> on(const row_message& message);
  [[nodiscard]] result<void> on(const truncate_message& message);
  [[nodiscard]] result<void> on(const logical_message& message);
  [[nodiscard]] result<void> on(relation& shape);

  [[nodiscard]] static result<void> on(const origin_message& /*ignored*/) { return {}; }

  [[nodiscard]] static result<void> on(const type_message& /*ignored*/) { return {}; }

  /// PostgreSQL 18 may send one to a client that never asked for streaming; it concerns nothing we
  /// hold.
  [[nodiscard]] static result<void> on(const stream_abort_message& /*ignored*/) { return {}; }

  void tell_changes(const memory_body& body, lsn commit);
  [[nodiscard]] result<void> hand_out(delivery_item item);
  [[nodiscard]] result<void> promise(watermark position);
  void close_chunk(const std::shared_ptr<const chunk>& source);

  watermark resume_;
  watermark reached_;    ///< What the stream has promised so far.
  watermark handed_out_; ///< What deliveries have told of it.
  relation_cache relations_;
  schema_memory schemas_;
  pgoutput_decoder decoder_;
  std::optional<open_transaction> open_;
  std::uint64_t held_bytes_ = 0; ///< Charged by chunks and not yet given back by a delivery.

  // Of the chunk being consumed:
  delivery made_;
  std::string_view payload_;
  lsn at_{};
};

} // namespace replicant
