// SPDX-License-Identifier: MIT
#include "replicant/core/delivery/checkpoint_query.hpp"

#include "replicant/core/delivery/watermark.hpp"
#include "replicant/core/protocol/sql_quoting.hpp"
#include "replicant/core/values/digits.hpp"

namespace replicant {

namespace {

std::string qualified(std::string_view schema, std::string_view name) {
  return quote_identifier(schema) + "." + quote_identifier(name);
}

/// A table that we make, as the catalog tells it.
struct table_shape {
  std::string_view part;
  std::string_view columns; ///< Rows of name and type.
  std::string_view key;     ///< Names in the order of the alphabet.
};

constexpr table_shape positions_shape{
  "positions",
  "('slot_name', 'text'), ('commit_lsn', 'bigint'), ('system_identifier', 'text'), "
  "('database', 'text'), ('updated_at', 'timestamptz')",
  "'slot_name'"};

constexpr table_shape state_shape{
  "state", "('slot_name', 'text'), ('name', 'text'), ('content', 'bytea')", "'name', 'slot_name'"};

/// By OID, so a namesake in another schema is never looked at.
std::string probe(const std::string& table, const table_shape& shape) {
  std::string query{"SELECT '"};
  query.append(shape.part)
    .append("' AS part, c.relkind IN ('r', 'p') AND c.relpersistence = 'p' "
            // Every column of ours is there,
            "AND NOT EXISTS (SELECT FROM (VALUES ")
    .append(shape.columns)
    .append(") AS ours (name, type) WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_attribute a "
            "WHERE a.attrelid = c.oid AND a.attname = ours.name AND a.attnum > 0 "
            "AND NOT a.attisdropped AND a.atttypid = ours.type::pg_catalog.regtype)) "
            // no other one has to be given,
            "AND NOT EXISTS (SELECT FROM pg_catalog.pg_attribute a WHERE a.attrelid = c.oid "
            "AND a.attnum > 0 AND NOT a.attisdropped AND a.attnotnull AND NOT a.atthasdef "
            "AND a.attidentity = '' AND a.attname NOT IN (SELECT ours.name FROM (VALUES ")
    .append(shape.columns)
    .append(") AS ours (name, type))) "
            // and the key is one.
            "AND EXISTS (SELECT FROM pg_catalog.pg_index i WHERE i.indrelid = c.oid "
            "AND i.indisunique AND i.indisvalid AND i.indimmediate AND i.indpred IS NULL "
            "AND i.indexprs IS NULL AND ARRAY[")
    .append(shape.key)
    .append("]::pg_catalog.text[] = (SELECT pg_catalog.array_agg(a.attname::pg_catalog.text "
            "ORDER BY a.attname) FROM pg_catalog.pg_attribute a WHERE a.attrelid = i.indrelid "
            "AND a.attnum = ANY ((i.indkey::pg_catalog.int2[])[0:i.indnkeyatts - 1]))) AS fits "
            "FROM pg_catalog.pg_class c WHERE c.oid = pg_catalog.to_regclass(")
    .append(quote_literal(table))
    .append(")");
  return query;
}

std::string literal(lsn position) {
  return std::to_string(position.value());
}

std::string bytea_literal(std::string_view bytes) {
  std::string text{"'\\x"};
  append_hex(text, bytes);
  return text + "'::pg_catalog.bytea";
}

/// A condition on a row of the positions.
std::string is_as_seen(std::string_view slot, const seen_checkpoint& seen) {
  return "p.slot_name = " + quote_literal(slot) + " AND p.commit_lsn = " + literal(seen.position) +
         " AND p.system_identifier = " + quote_literal(seen.system_identifier) +
         " AND p.database = " + quote_literal(seen.database);
}

/// The start of an INSERT of one row of positions.
std::string insertion(const checkpoint_tables& tables, std::string_view slot,
                      const seen_checkpoint& row) {
  return "INSERT INTO " + tables.positions +
         " AS p (slot_name, commit_lsn, system_identifier, database) VALUES (" +
         quote_literal(slot) + ", " + literal(row.position) + ", " +
         quote_literal(row.system_identifier) + ", " + quote_literal(row.database) +
         ") ON CONFLICT (slot_name) ";
}

/// `change` returns the slot's name when it took effect, and then state of the slot goes: that
/// which fits `which`, a condition to be added.
std::string with_state_removed(const checkpoint_tables& tables, const std::string& change,
                               const std::string& which = {}) {
  return "WITH done AS (" + change + " RETURNING p.slot_name), gone AS (DELETE FROM " +
         tables.state + " AS s USING done WHERE s.slot_name = done.slot_name" + which +
         ") SELECT pg_catalog.count(*) AS rows FROM done";
}

/// Whether the shapes of tables that were remembered at `before` are those at `now`, or older.
/// Those that lie ahead of a position would tell of changes that its rows have not seen.
bool shapes_hold(const seen_checkpoint& before, const seen_checkpoint& now) {
  return before.system_identifier == now.system_identifier && before.database == now.database &&
         watermark::through(now.position) >= watermark::through(before.position);
}

std::string entries_stored(const checkpoint_tables& tables, std::span<const state_entry> changed) {
  std::string rows;
  for (const auto& one : changed)
    if (!one.content.empty())
      rows.append(rows.empty() ? "(" : ", (")
        .append(quote_literal(one.name))
        .append(", ")
        .append(bytea_literal(one.content))
        .append(")");
  if (rows.empty())
    return {};
  return ", stored AS (INSERT INTO " + tables.state +
         " (slot_name, name, content) SELECT done.slot_name, e.name, e.content FROM done, "
         "(VALUES " +
         rows +
         ") AS e (name, content) ON CONFLICT (slot_name, name) DO UPDATE SET content = "
         "EXCLUDED.content)";
}

std::string entries_removed(const checkpoint_tables& tables, std::span<const state_entry> changed) {
  std::string names;
  for (const auto& one : changed)
    if (one.content.empty())
      names.append(names.empty() ? "" : ", ").append(quote_literal(one.name));
  if (names.empty())
    return {};
  return ", gone AS (DELETE FROM " + tables.state +
         " AS s USING done WHERE s.slot_name = done.slot_name AND s.name IN (" + names + "))";
}

} // namespace

checkpoint_tables checkpoint_tables_of(std::string_view table) {
  const auto dot = table.find('.');
  const auto schema = dot == std::string_view::npos ? "public" : table.substr(0, dot);
  const auto name = dot == std::string_view::npos ? table : table.substr(dot + 1);
  return {.positions = qualified(schema, name),
          .state = qualified(schema, std::string{name} + "_state")};
}

std::string checkpoint_session_query() {
  return "SELECT pg_catalog.set_config('synchronous_commit', 'on', false), "
         "pg_catalog.set_config('default_transaction_read_only', 'off', false), "
         "pg_catalog.set_config('default_transaction_isolation', 'read committed', false), "
         "pg_catalog.set_config('statement_timeout', '30s', false), "
         "pg_catalog.set_config('lock_timeout', '10s', false), "
         "pg_catalog.set_config('row_security', 'off', false), "
         "pg_catalog.pg_is_in_recovery() AS standby";
}

std::string probe_checkpoint_query(const checkpoint_tables& tables) {
  return probe(tables.positions, positions_shape) + " UNION ALL " +
         probe(tables.state, state_shape);
}

std::string create_checkpoint_query(const checkpoint_tables& tables) {
  // Sent as one, so in one transaction. Even IF NOT EXISTS fails when two make the same table.
  return "SELECT pg_catalog.pg_advisory_xact_lock(8243122654890747758); "
         "CREATE TABLE IF NOT EXISTS " +
         tables.positions +
         " (slot_name pg_catalog.text PRIMARY KEY, commit_lsn pg_catalog.int8 NOT NULL, "
         "system_identifier pg_catalog.text NOT NULL, database pg_catalog.text NOT NULL, "
         "updated_at pg_catalog.timestamptz NOT NULL DEFAULT pg_catalog.now()); "
         "CREATE TABLE IF NOT EXISTS " +
         tables.state +
         " (slot_name pg_catalog.text, name pg_catalog.text, content pg_catalog.bytea NOT NULL, "
         "PRIMARY KEY (slot_name, name))";
}

std::string read_checkpoint_query(const checkpoint_tables& tables, std::string_view slot) {
  return "SELECT p.commit_lsn, p.system_identifier, p.database, "
         "pg_catalog.to_char(p.updated_at, 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"') AS updated_at, "
         "s.name, s.content FROM " +
         tables.positions + " AS p LEFT JOIN " + tables.state +
         " AS s ON s.slot_name = p.slot_name WHERE p.slot_name = " + quote_literal(slot);
}

std::string add_checkpoint_query(const checkpoint_tables& tables, const session_identity& source) {
  // State without a row is what somebody left behind who removed the row.
  return with_state_removed(tables, insertion(tables, source.slot_name,
                                              {.system_identifier = source.system_identifier,
                                               .database = source.database}) +
                                      "DO NOTHING");
}

std::string write_checkpoint_query(const checkpoint_tables& tables, std::string_view slot,
                                   lsn reached, std::span<const state_entry> changed) {
  return "WITH done AS (UPDATE " + tables.positions + " AS p SET commit_lsn = " + literal(reached) +
         ", updated_at = pg_catalog.now() WHERE p.slot_name = " + quote_literal(slot) +
         " AND p.commit_lsn <= " + literal(reached) + " RETURNING p.slot_name)" +
         entries_stored(tables, changed) + entries_removed(tables, changed) +
         " SELECT pg_catalog.count(*) AS rows FROM done";
}

std::string replace_checkpoint_query(const checkpoint_tables& tables, std::string_view slot,
                                     const std::optional<seen_checkpoint>& before,
                                     const seen_checkpoint& now) {
  // What is there already was done by an attempt whose answer was lost.
  const auto change =
    before
      ? "UPDATE " + tables.positions + " AS p SET commit_lsn = " + literal(now.position) +
          ", system_identifier = " + quote_literal(now.system_identifier) +
          ", database = " + quote_literal(now.database) + ", updated_at = pg_catalog.now() WHERE " +
          is_as_seen(slot, now) + " OR " + is_as_seen(slot, *before)
      : insertion(tables, slot, now) + "DO UPDATE SET updated_at = pg_catalog.now() WHERE " +
          is_as_seen(slot, now);
  // The position is the slot's, so the timeline that led to the old one proves nothing about it.
  return with_state_removed(tables, change,
                            before && shapes_hold(*before, now)
                              ? " AND s.name = " + quote_literal(state_name::timeline)
                              : std::string{});
}

std::string forget_checkpoint_query(const checkpoint_tables& tables, std::string_view slot,
                                    const seen_checkpoint& before) {
  return with_state_removed(tables, "DELETE FROM " + tables.positions + " AS p WHERE " +
                                      is_as_seen(slot, before));
}

} // namespace replicant
