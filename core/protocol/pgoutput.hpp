// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/byte_reader.hpp"
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

/// How tables were emptied.
struct truncate_options {
  bool cascade = false;
  bool restart_identity = false;
};

/// Tables that were emptied by one command, which lists those reached by CASCADE too.
struct truncate_message {
  truncate_options how;
  std::string_view options;                 ///< `how` as it came, for `decode_truncate_options`.
  std::span<const std::uint32_t> relations; ///< OIDs.
};

/// A segment of a transaction that is still open begins: what follows up to `stream_stop_message`
/// belongs to it. Segments of several transactions alternate, and none is inside of another.
struct stream_start_message {
  std::uint32_t xid = 0;      ///< Of the transaction, never of a subtransaction.
  bool first_segment = false; ///< Of this transaction on this stream.
};

/// Ends a segment. The transaction may be open still.
struct stream_stop_message {};

/// A transaction that came in segments is committed.
struct stream_commit_message {
  std::uint32_t xid = 0;
  lsn commit_lsn{}; ///< Where the commit record starts.
  lsn end_lsn{};    ///< Where it ends (exclusive).
  timestamp commit_time{};
};

/// A transaction that came in segments, or a subtransaction of it, is rolled back. The server sends
/// one for each subtransaction that had changes, also for those inside of one that is rolled back.
struct stream_abort_message {
  std::uint32_t xid = 0;
  std::uint32_t subxid = 0; ///< Equal to `xid` when all of it is rolled back.
};

using pgoutput_message =
  std::variant<begin_message, commit_message, origin_message, relation, type_message, row_message,
               truncate_message, logical_message, stream_start_message, stream_stop_message,
               stream_commit_message, stream_abort_message>;

/// One message with its frame taken off: what is left reads the same in a segment and outside.
struct wire_message {
  char tag = '\0';
  std::uint32_t xid = 0; ///< Of the (sub)transaction, in a segment; otherwise 0.
  std::string_view body;

  [[nodiscard]] bool is_row() const { return tag == 'I' || tag == 'U' || tag == 'D'; }
};

/// Takes a payload apart. In a segment the messages that belong to the transaction name their
/// (sub)transaction. @fault decode_failure when there is too little of it.
[[nodiscard]] result<wire_message> unwrap(std::string_view payload, bool in_segment);

/// @fault decode_failure for options that are not known.
[[nodiscard]] result<truncate_options> decode_truncate_options(std::string_view options);

/// Reads the messages of PostgreSQL's own output plugin, protocol versions 1 and 2.
///
/// Strict: a message that is not exactly what the protocol describes (unknown tags and flags, bytes
/// missing or left over, messages of two-phase commit) is a `decode_failure`. Which message may
/// follow which is for the reader to judge. The ordinal of a `logical_message` is left 0.
///
/// Views in a message point into its body; tuples and OIDs point into the decoder and are valid
/// until its next call. Rows cost no allocation once the widest has been seen. One thread at a
/// time.
class pgoutput_decoder {
public:
  [[nodiscard]] result<pgoutput_message> decode(const wire_message& message);

  /// As `decode`, only for rows: any other message is a `decode_failure`.
  [[nodiscard]] result<row_message> decode_row(const wire_message& message);

private:
  [[nodiscard]] result<pgoutput_message> decode_truncate(byte_reader in);

  std::vector<cell> cells_;
  std::vector<std::uint32_t> oids_;
};

} // namespace replicant
