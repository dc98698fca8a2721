// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace replicant {

/// Why a pipeline could not go on. Stable: a number is never reused. Zero is left to CAF's "no
/// error".
enum class reason : std::uint8_t {
  decode_failure = 1,    ///< The server sent bytes that are not the agreed protocol.
  sink_failed,           ///< The sink declined, threw, or could not write.
  sink_locked,           ///< Another program holds the sink's target.
  sink_unreadable,       ///< The sink's own memory of its position cannot be read or is damaged.
  connection_lost,       ///< The connection broke or fell silent.
  server_unavailable,    ///< The server cannot be reached, starts, stops, or is out of resources.
  server_unsupported,    ///< The server is older than PostgreSQL 14.
  authentication_failed, ///< The server does not let this user in from here.
  permission_denied,     ///< The user may not do what a command asks for.
  database_missing,      ///< The database does not exist.
  command_failed,  ///< The server refused a command for a reason of its own (see the SQLSTATE).
  setting_refused, ///< A session setting that changes the text of values did not stick.
  session_identity_rejected, ///< The server or database is not the one that the sink knows.
  publication_missing,       ///< At least one publication does not exist.
  go_forward_required,       ///< There is no slot and no permission to begin at "now".
  data_gap,                  ///< The sink has a position but the slot is gone.
  checkpoint_missing,        ///< The slot exists but the sink has never heard of it.
  slot_advanced,             ///< Somebody moved the slot past what the sink has.
  server_behind,        ///< The server's WAL ends before the sink's position: an older copy of it.
  slot_lost,            ///< The server removed WAL that the slot needs.
  slot_invalidated,     ///< The server invalidated the slot.
  slot_not_logical,     ///< The slot's name belongs to a physical slot.
  slot_wrong_plugin,    ///< The slot was made for another output plugin.
  slot_wrong_database,  ///< The slot belongs to another database.
  slot_active,          ///< Another session holds the slot.
  messages_unsupported, ///< Messages are asked for and the sink takes none.
  crashed,              ///< A defect of ours: a part ended without saying why.
  wal_level_insufficient,    ///< The server does not write what logical decoding needs.
  replication_right_missing, ///< The user may log in, but not replicate.
  connect_right_missing,     ///< The user may not connect to the database.
  password_wrong,            ///< The server refused the password, or knows no such role.
  password_missing,          ///< The server asks for a password and none is given.
  tls_unavailable,           ///< TLS is demanded and the server offers none.
  certificate_refused,       ///< libpq ended the TLS handshake: a certificate proves nothing.
  slots_exhausted,           ///< All replication slots of the server are taken.
  connections_exhausted,     ///< All connections or walsenders of the server are taken.
  pooler_in_front,           ///< What answers is no server but a connection pooler.
  binary_unreadable,         ///< A value came in a binary form that is not known.
  publication_too_new,       ///< A publication is younger than changes that are still to be read.
  failover_unsupported,      ///< A slot for failovers is asked for and the server knows none.
  slot_synced_unpromoted,    ///< The slot is a copy on a standby that is not promoted.
  schema_change_destructive, ///< A table was altered in a way that the sink does not take.
  batch_unsupported,         ///< Batches are asked for and the sink takes none.
  sink_too_slow,             ///< The sink stayed behind, and is not to be waited for.
  checkpoint_store_failed,   ///< The checkpoint store could not be read or written.
  checkpoint_store_mismatch, ///< The checkpoint store's tables are not of the shape that we make.
  checkpoint_changed,        ///< Somebody else changed our row of the checkpoint store.
  diverged,                  ///< The server's history does not lead through what the sink has.
  slot_two_phase,            ///< The slot sends transactions when they are prepared.
  transaction_too_large,     ///< Open transactions outgrew memory, and may not be spilled.
  too_many_streams,          ///< More transactions are taken while open than is allowed.
  spill_exhausted,           ///< Open transactions outgrew what may be spilled.
  spill_io_failed,           ///< A spill file could not be written or read back.
  rollback_undecided,        ///< It is not known which messages went with what was rolled back.
};

/// The number of reasons, for tests that walk them all.
inline constexpr std::uint8_t reason_count = static_cast<std::uint8_t>(reason::rollback_undecided);

/// What the supervisor does about a reason.
enum class disposition : std::uint8_t {
  retry,       ///< Cured by time: try again for ever, paced.
  wait_active, ///< 55006: try again for at least twice the server's wal_sender_timeout, then halt.
  budget,      ///< Perhaps cured by a new start: a few attempts, then halt.
  halt,        ///< Only a person can cure it.
};

/// The reason's name, as logs, status and documents spell it.
[[nodiscard]] std::string_view to_string(reason why);

/// What happened, and what to do about it: one line. A statement or a line of a file that cures it
/// stands between backquotes, with <placeholders> for names. Of a fault more can be said: `explain`
/// in fault.hpp puts its facts in place of placeholders.
[[nodiscard]] std::string_view explain(reason why);

/// What the pipeline does about it; for a fault of a host's sink as for one of ours.
[[nodiscard]] disposition disposition_of(reason why);

/// A SQLSTATE: five characters out of 0-9 and A-Z, or none.
class sqlstate {
public:
  constexpr sqlstate() = default;

  /// Takes `text` if it is a SQLSTATE; anything else gives none.
  explicit sqlstate(std::string_view text);

  [[nodiscard]] std::string_view text() const { return {code_.data(), known() ? code_.size() : 0}; }

  [[nodiscard]] bool known() const { return code_[0] != '\0'; }

private:
  std::array<char, 5> code_{};
};

/// The SQLSTATE of a server that has run into a defect of its own.
inline constexpr std::string_view internal_error = "XX000";

/// The only table from SQLSTATE to reason. Without a code the server could not be reached or broke
/// off.
[[nodiscard]] reason reason_of(const sqlstate& code);

/// As `reason_of`, of a code that ends a stream: there some codes can have one cause only.
[[nodiscard]] reason stream_end_reason_of(const sqlstate& code);

} // namespace replicant
