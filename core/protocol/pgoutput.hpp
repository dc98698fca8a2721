// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/change.hpp"
#include "replicant/core/model/lsn.hpp"
#include "replicant/core/model/relation.hpp"
#include "replicant/core/model/result.hpp"
#include "replicant/core/model/timestamp.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

namespace replicant {

/// A transaction begins. The server sends it only when the commit is already known.
struct begin_message {
  lsn final_lsn{}; ///< Where the commit record starts: equal to the commit's `commit_lsn`.
  timestamp commit_time{};
  std::uint32_t xid = 0;
};

/// Ends a transaction that is committed.
struct commit_message {
  lsn commit_lsn{}; ///< Where the commit record starts.
  lsn end_lsn{};    ///< Where it ends (exclusive).
  timestamp commit_time{};
};

/// The transaction was replayed from another server.
struct origin_message {
  lsn at{};              ///< The commit on that server; 0 when it was not told.
  std::string_view name; ///< Of the replication origin.
};

/// Names a type that is not built in, ahead of the relation that uses it.
struct type_message {
  std::uint32_t oid = 0;   ///< Of the type itself; for a domain too.
  std::string_view schema; ///< pg_catalog is spelled out, as in `relation`.
  std::string_view name;   ///< For a domain, the name of its base type.
};

/// An inserted, updated or removed row. Both tuples are as long as the columns of the relation that
/// was announced under this OID; that is for the reader to check, who knows the relation.
struct row_message {
  operation op = operation::insert; ///< insert, update or remove.
  std::uint32_t relation = 0;       ///< OID.
  old_image old_kind = old_image::none;
  tuple old;    ///< Empty when `old_kind` is none.
  tuple record; ///< Empty for remove.
};

/// Tables that were emptied by one command, which lists those reached by CASCADE too.
struct truncate_message {
  bool cascade = false;
  bool restart_identity = false;
  std::span<const std::uint32_t> relations; ///< OIDs.
};

/// An aborted subtransaction of a stream that nobody asked for. PostgreSQL 18 may send it within
/// protocol 1, which never streams: there is nothing to undo, so it is to be ignored.
struct stream_abort_message {};

using pgoutput_message =
  std::variant<begin_message, commit_message, origin_message, relation, type_message, row_message,
               truncate_message, logical_message, stream_abort_message>;

/// Reads the messages of PostgreSQL's own output plugin, protocol version 1.
///
/// Strict: a message that is not exactly what the protocol describes (unknown tags and flags, bytes
/// missing or left over, messages of streaming and of two-phase commit) is a `decode_failure`.
/// The ordinal of a `logical_message` is left 0.
///
/// Views in a message point into the payload; tuples and OIDs point into the decoder and are valid
/// until its next call. Rows cost no allocation once the widest has been seen. One thread at a
/// time.
class pgoutput_decoder {
public:
  [[nodiscard]] result<pgoutput_message> decode(std::string_view payload);

  /// Whether the payload announces itself as a row, so that `decode_row` may be asked directly.
  [[nodiscard]] static bool is_row(std::string_view payload) {
    return !payload.empty() && (payload[0] == 'I' || payload[0] == 'U' || payload[0] == 'D');
  }

  /// As `decode`, only for rows: any other message is a `decode_failure`.
  [[nodiscard]] result<row_message> decode_row(std::string_view payload);

private:
  [[nodiscard]] result<pgoutput_message> decode_truncate(std::string_view payload);

  std::vector<cell> cells_;
  std::vector<std::uint32_t> oids_;
};

} // namespace replicant
