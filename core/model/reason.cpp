// SPDX-License-Identifier: MIT
#include "replicant/core/model/reason.hpp"

#include <algorithm>

namespace replicant {

namespace {

/// All that is decided about one reason.
struct entry {
  reason why;
  std::string_view name;
  disposition cure;
  std::string_view explanation;
};

using enum disposition;

/// In the order of the numbers.
constexpr std::array<entry, reason_count> entries{{
  {reason::decode_failure, "decode_failure", halt,
   "the stream is not what this version understands; report it with the position"},
  {reason::sink_failed, "sink_failed", halt,
   "the sink could not take the data; cure its target (space, rights, presence) and run again"},
  {reason::sink_locked, "sink_locked", halt,
   "another program writes to the sink's target; stop it or choose another target"},
  {reason::sink_unreadable, "sink_unreadable", halt,
   "the sink's target holds something else than this pipeline wrote; nothing was changed in it, so "
   "restore it or choose another target"},
  {reason::connection_lost, "connection_lost", retry,
   "the connection broke; if it breaks again and again, look at the network and the server's log"},
  {reason::server_unavailable, "server_unavailable", retry,
   "nobody answers at this host and port, or the server starts or stops; see that it runs, and "
   "that "
   "host and port are its own"},
  {reason::server_unsupported, "server_unsupported", halt,
   "the server is too old; PostgreSQL 14 or newer is needed"},
  {reason::authentication_failed, "authentication_failed", halt,
   "the server does not let this user in from here: pg_hba.conf has no line for it, or the role "
   "does not exist or may not log in; add `host <database> <user> <address>/32 scram-sha-256` "
   "(hostssl with TLS) to pg_hba.conf and run `SELECT pg_reload_conf();`, or run `CREATE ROLE "
   "<user> LOGIN REPLICATION PASSWORD '<password>';`"},
  {reason::permission_denied, "permission_denied", halt,
   "the user may not do what a command asks for, or not read a catalog; the server's log names the "
   "object; run `GRANT SELECT ON <object> TO <user>;`"},
  {reason::database_missing, "database_missing", halt,
   "the server has no database of this name; correct dbname, or run `CREATE DATABASE <database>;`"},
  {reason::command_failed, "command_failed", budget,
   "the server refused a command; the SQLSTATE and the server's log tell why"},
  {reason::setting_refused, "setting_refused", halt,
   "a session setting that shapes the text of values did not stick; connect to the server itself, "
   "not to a pooler in front of it"},
  {reason::session_identity_rejected, "session_identity_rejected", halt,
   "this is not the server, database or slot that the sink was filled from; check the connection"},
  {reason::publication_missing, "publication_missing", halt,
   "a publication does not exist in this database; correct its name, or have the owner of the "
   "tables run `CREATE PUBLICATION <name> FOR TABLE <table>, <table>;` (a slot that exists already "
   "cannot use it for changes that were written before)"},
  {reason::go_forward_required, "go_forward_required", halt,
   "there is no slot yet, and rows that exist already are not copied; write `go_forward_only = "
   "true` to begin at the present moment"},
  {reason::data_gap, "data_gap", halt,
   "the slot is gone though the sink has a position, so changes are missing; "
   "start a new target (replicant slot drop, another path, go_forward_only = true)"},
  {reason::checkpoint_missing, "checkpoint_missing", halt,
   "the slot exists but the sink has no position for it; restore the target, go on where the slot "
   "is with `replicant checkpoint adopt <config>`, or give the slot up with `SELECT "
   "pg_drop_replication_slot('<slot>');`"},
  {reason::slot_advanced, "slot_advanced", halt,
   "the slot was moved past what the sink has, so changes are missing; "
   "start a new target (replicant slot drop, another path, go_forward_only = true)"},
  {reason::server_behind, "server_behind", halt,
   "the server ends before what the sink has (a restored or older copy); connect to the right one, "
   "or "
   "start a new target (replicant slot drop, another path, go_forward_only = true)"},
  {reason::slot_lost, "slot_lost", halt,
   "the server removed WAL that the slot still needed; allow for more with `ALTER SYSTEM SET "
   "max_slot_wal_keep_size = '<size>';`, then "
   "start a new target (replicant slot drop, another path, go_forward_only = true)"},
  {reason::slot_invalidated, "slot_invalidated", halt,
   "the server invalidated the slot; see `SELECT * FROM pg_replication_slots WHERE slot_name = "
   "'<slot>';`, then "
   "start a new target (replicant slot drop, another path, go_forward_only = true)"},
  {reason::slot_not_logical, "slot_not_logical", halt,
   "a physical slot has this name; choose another slot_name"},
  {reason::slot_wrong_plugin, "slot_wrong_plugin", halt,
   "the slot uses another output plugin than pgoutput; choose another slot_name"},
  {reason::slot_wrong_database, "slot_wrong_database", halt,
   "the slot belongs to another database; correct dbname or choose another slot_name"},
  {reason::slot_active, "slot_active", wait_active,
   "<holder> holds the slot; stop that consumer, which `SELECT pid, usename, "
   "application_name, client_addr FROM pg_stat_activity WHERE pid = (SELECT active_pid FROM "
   "pg_replication_slots WHERE slot_name = '<slot>');` shows"},
  {reason::messages_unsupported, "messages_unsupported", halt,
   "messages = true needs a sink that takes messages; change one of the two"},
  {reason::crashed, "crashed", budget, "a part of the program failed; report it with the log"},
  {reason::wal_level_insufficient, "wal_level_insufficient", halt,
   "the server does not write what logical decoding needs; run `ALTER SYSTEM SET wal_level = "
   "'logical';` as a superuser and restart the server"},
  {reason::replication_right_missing, "replication_right_missing", halt,
   "the user may log in, but not replicate; have a superuser run `ALTER ROLE <user> REPLICATION;`, "
   "on Amazon RDS `GRANT rds_replication TO <user>;`"},
  {reason::connect_right_missing, "connect_right_missing", halt,
   "the user may not connect to the database; have its owner run `GRANT CONNECT ON DATABASE "
   "<database> TO <user>;`"},
  {reason::password_wrong, "password_wrong", halt,
   "the server refused the password, and says the same of a role that does not exist; correct user "
   "and password, or set it with `ALTER ROLE <user> PASSWORD '<password>';`"},
  {reason::password_missing, "password_missing", halt,
   "the server asks for a password and none is given, or no line of the password file fits host, "
   "port, database and user, or its mode is not 0600; put the line "
   "`<host>:<port>:<database>:<user>:<password>` into a file of mode 0600 and name it with "
   "passfile=<file> in the connection string"},
  {reason::tls_unavailable, "tls_unavailable", halt,
   "the connection string demands TLS and the server offers none; run `ALTER SYSTEM SET ssl = "
   "'on';` with a certificate in place, or ask for less with sslmode"},
  {reason::certificate_refused, "certificate_refused", halt,
   "the server's certificate does not prove that it is the host asked for, or a certificate file "
   "of ours cannot be used; name the authority with sslrootcert=<file>, and the host as the "
   "certificate does"},
  {reason::slots_exhausted, "slots_exhausted", halt,
   "all replication slots of the server are taken; drop one that nobody needs with `SELECT "
   "pg_drop_replication_slot('<slot>');`, or run `ALTER SYSTEM SET max_replication_slots = "
   "<number>;` and restart the server"},
  {reason::connections_exhausted, "connections_exhausted", retry,
   "all walsenders or all connections of the server are taken; to make room run `ALTER SYSTEM SET "
   "max_wal_senders = <number>;` or `ALTER SYSTEM "
   "SET max_connections = <number>;` and restart the server"},
  {reason::pooler_in_front, "pooler_in_front", halt,
   "a connection pooler answers, and it cannot pass a replication stream on; connect to the server "
   "itself, with its own host and port"},
  {reason::binary_unreadable, "binary_unreadable", halt,
   "a value of this table came in a binary form that is not known here, of an extension's type or "
   "a "
   "reg* type; write `binary = false`"},
  {reason::publication_too_new, "publication_too_new", halt,
   "a publication did not exist when changes that are still to be read were written; read on "
   "without it until the slot has caught up, then add it; if it was dropped, and perhaps made "
   "again, "
   "start a new target (replicant slot drop, another path, go_forward_only = true)"},
  {reason::failover_unsupported, "failover_unsupported", halt,
   "failover = true needs PostgreSQL 17 or newer; upgrade the server, or write `failover = false`"},
  {reason::slot_synced_unpromoted, "slot_synced_unpromoted", halt,
   "this server is a standby, and its slot a copy of the primary's that cannot be read from before "
   "the standby is promoted; connect to the primary, or make this one the primary with `SELECT "
   "pg_promote();`"},
  {reason::schema_change_destructive, "schema_change_destructive", halt,
   "a published table was altered in a way that the sink does not take, so its copy may no longer "
   "fit; bring the sink's target into line, then accept the change with `replicant schema accept "
   "<config> --pipeline <pipeline> --confirm <fingerprint>` (a host program: "
   "accepted_schema_changes) and run again"},
  {reason::batch_unsupported, "batch_unsupported", halt,
   "batch_delivery needs a sink that takes batches; remove it, or choose such a sink"},
  {reason::sink_too_slow, "sink_too_slow", halt,
   "the sink did not keep up with the source, and on_slow_sink = \"halt\" does not wait for it; "
   "make it faster, raise max_inflight_lag, or write `on_slow_sink = \"pace\"`"},
  {reason::checkpoint_store_failed, "checkpoint_store_failed", halt,
   "the checkpoint store could not be read or written, also not by the attempts that max_retries "
   "allows; cure its server or its rights and run again"},
  {reason::checkpoint_store_mismatch, "checkpoint_store_mismatch", halt,
   "a table of the checkpoint store's name has another shape than ours; choose another name with "
   "`table = \"<schema>.<table>\"`"},
  {reason::checkpoint_changed, "checkpoint_changed", halt,
   "the row of this slot in the checkpoint store was removed or moved on by somebody else; see "
   "that "
   "nobody but this pipeline writes it, compare it with `replicant checkpoint show`, and run "
   "again"},
  {reason::diverged, "diverged", halt,
   "this server's history does not lead through what the sink has: it was promoted, or restored, "
   "from a point before that, so the sink holds what was lost with the old server; connect to the "
   "server that goes on from there, or "
   "start a new target (replicant slot drop, another path, go_forward_only = true)"},
  {reason::slot_two_phase, "slot_two_phase", halt,
   "the slot was made with two_phase, so it sends transactions that are not committed yet; choose "
   "another slot_name, or give the slot up with `SELECT pg_drop_replication_slot('<slot>');`"},
  {reason::transaction_too_large, "transaction_too_large", halt,
   "an open transaction is larger than max_inflight_lag, and spilling is off; remove `spill = "
   "false` from [pipeline.streaming], or raise max_inflight_lag, and run again"},
  {reason::too_many_streams, "too_many_streams", retry,
   "the server sends more open transactions at once than max_concurrent_txns in "
   "[pipeline.streaming] allows, so it is asked for whole ones for a while; raise it if that comes "
   "often"},
  {reason::spill_exhausted, "spill_exhausted", halt,
   "open transactions are larger than max_spill_bytes in [pipeline.streaming.spill]; raise it as "
   "far as the disk allows, and run again"},
  {reason::spill_io_failed, "spill_io_failed", halt,
   "what does not fit into memory could not be written to disk or read back; see that the folder "
   "`dir` of [pipeline.streaming.spill] can be written and has room, and run again"},
  {reason::rollback_undecided, "rollback_undecided", retry,
   "a large transaction with messages was rolled back to a savepoint while it was taken, and the "
   "server does not tell which of its messages that concerns; it is read again at its commit"},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (static_cast<std::size_t>(entries.at(i).why) != i + 1)
      return false;
  return true;
}

static_assert(in_order());

/// What a number that is no reason amounts to.
constexpr entry unknown{reason::crashed, "unknown", halt, ""};

const entry& entry_of(reason why) {
  const auto index = static_cast<std::size_t>(why) - 1;
  return index < entries.size() ? entries.at(index) : unknown;
}

} // namespace

std::string_view to_string(reason why) {
  return entry_of(why).name;
}

std::string_view explain(reason why) {
  return entry_of(why).explanation;
}

disposition disposition_of(reason why) {
  return entry_of(why).cure;
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
  if (text == "28P01")
    return reason::password_wrong;
  if (text.starts_with("28"))
    return reason::authentication_failed;
  if (text.starts_with("3D"))
    return reason::database_missing;
  // Of what we ask for, only a slot runs into a limit of the configuration.
  if (text == "53400")
    return reason::slots_exhausted;
  if (text == "53300")
    return reason::connections_exhausted;
  // 08 connection, 53 out of resources, 57P operator intervention: the server will be back.
  if (text.starts_with("08") || text.starts_with("53") || text.starts_with("57P"))
    return reason::server_unavailable;
  return reason::command_failed;
}

reason stream_end_reason_of(const sqlstate& code) {
  // What the plugin looks up by name while it decodes, in the catalog as it was then, are the
  // publications.
  return code.text() == "42704" ? reason::publication_too_new : reason_of(code);
}

} // namespace replicant
