// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/delivery/state_entry.hpp"
#include "replicant/core/delivery/watermark.hpp"
#include "replicant/core/model/change.hpp"
#include "replicant/core/model/schema_change.hpp"
#include "replicant/core/model/session_identity.hpp"
#include "replicant/core/model/transaction.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// The lines that carry no row: each with what reads it back, so that a file can be recovered.
/// Appending writes the line with its newline, reading takes it without.
namespace replicant {

/// How the lines of a transaction begin, for telling them apart without reading them.
inline constexpr std::string_view change_line_start = R"({"kind":"change",)";
inline constexpr std::string_view message_in_transaction_start =
  R"({"kind":"message","transactional":true,)";
inline constexpr std::string_view schema_change_line_start = R"({"kind":"schema_change",)";

/// The first line of a file: whose stream it holds, and from where.
struct header_line {
  session_identity source;          ///< Without the timeline, which may change.
  std::optional<watermark> start{}; ///< What the files before this one promise; none before the
                                    ///< first.
  std::uint64_t state_bytes = 0;    ///< Length of the lines of state that belong to it: directly
                                    ///< behind it, whole as soon as the file has its name.
};

void append_header(std::string& out, const header_line& header);
[[nodiscard]] std::optional<header_line> read_header(std::string_view line);

/// Whether `bytes`, which hold no newline, can be all that a crash left of writing a header.
[[nodiscard]] bool is_torn_header(std::string_view bytes);

struct begin_line {
  std::uint32_t xid = 0;
  lsn commit_lsn{};
};

void append_begin(std::string& out, const transaction& txn);
[[nodiscard]] std::optional<begin_line> read_begin(std::string_view line);

/// What the last line of a transaction says of the lines before it, `begin` included.
struct commit_line {
  std::uint32_t xid = 0;
  lsn commit_lsn{};
  std::uint64_t changes = 0;  ///< Change lines; messages are not counted.
  std::uint64_t bytes = 0;    ///< Newlines included.
  std::uint32_t checksum = 0; ///< CRC-32C.
};

/// There is no reader: recovery knows what the line must be and compares.
void append_commit(std::string& out, const commit_line& commit);

/// How a table has changed, inside the first transaction that shows it.
void append_schema_change(std::string& out, const schema_change& what);

/// A message, inside its transaction or standing alone.
void append_message(std::string& out, const logical_message& message);

/// What a message that stands alone promises. It may be too long to be held whole: `head` is how
/// the line begins and `tail` how it ends.
///
/// PostgreSQL reports the end of a message's record, and the next commit record may start exactly
/// there, so the position is exclusive.
[[nodiscard]] std::optional<watermark> read_message(std::string_view head, std::string_view tail);

void append_progress(std::string& out, watermark reached);
[[nodiscard]] std::optional<watermark> read_progress(std::string_view line);

/// How a line of state begins.
inline constexpr std::string_view state_line_start = R"({"kind":"state",)";

/// An entry that is remembered beside the position.
void append_state(std::string& out, const state_entry& entry);
[[nodiscard]] std::optional<state_entry> read_state(std::string_view line);

} // namespace replicant
