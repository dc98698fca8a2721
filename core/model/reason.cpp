// SPDX-License-Identifier: MIT
#include "replicant/core/model/reason.hpp"

#include <algorithm>

namespace replicant {

std::string_view to_string(reason why) {
  switch (why) {
    case reason::decode_failure: return "decode_failure";
    case reason::sink_failed: return "sink_failed";
    case reason::sink_locked: return "sink_locked";
    case reason::sink_unreadable: return "sink_unreadable";
    case reason::connection_lost: return "connection_lost";
    case reason::server_unavailable: return "server_unavailable";
    case reason::server_unsupported: return "server_unsupported";
    case reason::authentication_failed: return "authentication_failed";
    case reason::permission_denied: return "permission_denied";
    case reason::database_missing: return "database_missing";
    case reason::command_failed: return "command_failed";
    case reason::setting_refused: return "setting_refused";
    case reason::session_identity_rejected: return "session_identity_rejected";
    case reason::publication_missing: return "publication_missing";
    case reason::go_forward_required: return "go_forward_required";
    case reason::data_gap: return "data_gap";
    case reason::checkpoint_missing: return "checkpoint_missing";
    case reason::slot_advanced: return "slot_advanced";
    case reason::server_behind: return "server_behind";
    case reason::slot_lost: return "slot_lost";
    case reason::slot_invalidated: return "slot_invalidated";
    case reason::slot_not_logical: return "slot_not_logical";
    case reason::slot_wrong_plugin: return "slot_wrong_plugin";
    case reason::slot_wrong_database: return "slot_wrong_database";
    case reason::slot_active: return "slot_active";
    case reason::messages_unsupported: return "messages_unsupported";
    case reason::crashed: return "crashed";
  }
  return "unknown";
}

std::string_view explain(reason why) {
  switch (why) {
    case reason::decode_failure:
      return "the stream is not what this version understands; report it with the position";
    case reason::sink_failed:
      return "the sink could not take the data; cure its target (space, rights, presence) and run "
             "again";
    case reason::sink_locked:
      return "another program writes to the sink's target; stop it or choose another target";
    case reason::sink_unreadable:
      return "the sink's target holds something else than this pipeline wrote; nothing was changed "
             "in it";
    case reason::connection_lost: return "the connection broke; it is tried again";
    case reason::server_unavailable: return "the server cannot be reached now; it is tried again";
    case reason::server_unsupported:
      return "the server is too old; PostgreSQL 14 or newer is needed";
    case reason::authentication_failed:
      return "the login was refused; check user, password, pg_hba.conf and, with TLS, the "
             "certificates";
    case reason::permission_denied:
      return "the user lacks a right; it needs REPLICATION and CONNECT on the database";
    case reason::database_missing: return "the database does not exist; check dbname";
    case reason::command_failed:
      return "the server refused a command; the SQLSTATE and the server's log tell why";
    case reason::setting_refused:
      return "a session setting that shapes the text of values did not stick; connect directly, "
             "not through "
             "a pooler";
    case reason::session_identity_rejected:
      return "this is not the server, database or slot that the sink was filled from; check the "
             "connection";
    case reason::publication_missing:
      return "a publication does not exist in this database; create it or correct the name";
    case reason::go_forward_required:
      return "there is no slot yet; set go_forward_only = true to begin at the present moment";
    case reason::data_gap:
      return "the slot is gone though the sink has a position, so changes are missing; start a new "
             "target";
    case reason::checkpoint_missing:
      return "the slot exists but the sink has no position for it; restore the target or drop the "
             "slot";
    case reason::slot_advanced:
      return "the slot was moved past what the sink has, so changes are missing; start a new "
             "target";
    case reason::server_behind:
      return "the server ends before what the sink has (a restored or older copy); start a new "
             "target";
    case reason::slot_lost:
      return "the server removed WAL that was still needed; see max_slot_wal_keep_size; start a "
             "new target";
    case reason::slot_invalidated:
      return "the server invalidated the slot; see pg_replication_slots; start a new target";
    case reason::slot_not_logical: return "a physical slot has this name; choose another slot_name";
    case reason::slot_wrong_plugin:
      return "the slot uses another output plugin than pgoutput; choose another slot_name";
    case reason::slot_wrong_database: return "the slot belongs to another database; check dbname";
    case reason::slot_active: return "another session holds the slot; stop that consumer";
    case reason::messages_unsupported:
      return "messages = true needs a sink that takes messages; change one of the two";
    case reason::crashed: return "a part of the program failed; report it with the log";
  }
  return "";
}

disposition disposition_of(reason why) {
  switch (why) {
    case reason::connection_lost:
    case reason::server_unavailable: return disposition::retry;
    case reason::slot_active: return disposition::wait_active;
    case reason::command_failed:
    case reason::crashed: return disposition::budget;
    case reason::decode_failure:
    case reason::sink_failed:
    case reason::sink_locked:
    case reason::sink_unreadable:
    case reason::server_unsupported:
    case reason::authentication_failed:
    case reason::permission_denied:
    case reason::database_missing:
    case reason::setting_refused:
    case reason::session_identity_rejected:
    case reason::publication_missing:
    case reason::go_forward_required:
    case reason::data_gap:
    case reason::checkpoint_missing:
    case reason::slot_advanced:
    case reason::server_behind:
    case reason::slot_lost:
    case reason::slot_invalidated:
    case reason::slot_not_logical:
    case reason::slot_wrong_plugin:
    case reason::slot_wrong_database:
    case reason::messages_unsupported: return disposition::halt;
  }
  return disposition::halt;
}

sqlstate::sqlstate(std::string_view text) {
  const auto plain = [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z'); };
  if (text.size() == code_.size() && std::ranges::all_of(text, plain))
    std::ranges::copy(text, code_.begin());
}

reason reason_of(const sqlstate& code) {
  const auto text = code.text();
  if (!code.known())
    return reason::connection_lost;
  if (text == "55006")
    return reason::slot_active;
  if (text == "42501")
    return reason::permission_denied;
  if (text.starts_with("28"))
    return reason::authentication_failed;
  if (text.starts_with("3D"))
    return reason::database_missing;
  // All replication slots are in use: only a person makes room.
  if (text == "53400")
    return reason::command_failed;
  // 08 connection, 53 out of resources, 57P operator intervention: the server will be back.
  if (text.starts_with("08") || text.starts_with("53") || text.starts_with("57P"))
    return reason::server_unavailable;
  return reason::command_failed;
}

} // namespace replicant
