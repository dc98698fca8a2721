// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/lsn.hpp"
#include "replicant/core/model/relation.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

namespace replicant {

/// How a value came.
enum class cell_kind : std::uint8_t {
  null,
  unchanged, ///< A TOASTed value that the update did not touch and the server did not send.
  text,
  binary,
};

/// One value of a row: a view that lives as long as the delivery which holds it.
struct cell {
  cell_kind kind = cell_kind::null;
  std::string_view bytes;
};

/// One cell per column of the relation, in its order.
using tuple = std::span<const cell>;

/// What was done to a table.
enum class operation : std::uint8_t {
  insert,
  update,
  remove,
  truncate,
};

/// What the old image of a change holds.
enum class old_image : std::uint8_t {
  none,
  key,  ///< Only the cells of key columns mean anything.
  full, ///< The whole old row.
};

/// One change of one table.
struct change {
  operation op = operation::insert;
  const relation* table = nullptr; ///< Lives as long as the transaction.
  std::uint32_t ordinal =
    0;          ///< Position among changes and transactional messages of the transaction.
  tuple record; ///< The new row; empty for remove and truncate.
  tuple old;    ///< The old row or key; empty when `old_kind` is none.
  old_image old_kind = old_image::none;
  bool cascade = false;          ///< Truncate only.
  bool restart_identity = false; ///< Truncate only.
};

/// A message of pg_logical_emit_message. Prefix and content are user bytes and as secret as a row.
struct logical_message {
  bool transactional = false;
  lsn at{}; ///< Where the message's record ends (exclusive), as PostgreSQL tells it.
  std::uint32_t ordinal = 0; ///< As in `change`; 0 when not transactional.
  std::string_view prefix;
  std::string_view content;
};

/// What happens inside a transaction, in the order of its ordinals.
using event = std::variant<change, logical_message>;

} // namespace replicant
