// SPDX-License-Identifier: MIT
#include "replicant/core/protocol/catalog_query.hpp"

#include "replicant/core/model/session_settings.hpp"
#include "replicant/core/protocol/sql_quoting.hpp"

namespace replicant {

namespace {

constexpr std::uint32_t version_16 = 160000;
constexpr std::uint32_t version_17 = 170000;

std::string name_array(std::span<const std::string> names) {
  return "ARRAY[" + quoted_list(names, quote_literal) + "]::pg_catalog.name[]";
}

/// A condition on publications by name.
std::string is_one_of(std::span<const std::string> publications) {
  return "pubname = ANY (" + name_array(publications) + ")";
}

/// SELECT with one column for every setting that the server knows.
template <class Column>
std::string select_settings(std::uint32_t server_version, Column column) {
  std::string query = "SELECT ";
  std::string_view separator;
  for (const auto& setting : pinned_settings) {
    if (server_version < setting.since_version)
      continue;
    query.append(separator).append(column(setting));
    separator = ", ";
  }
  return query;
}

std::string current_setting(std::string_view name) {
  return "pg_catalog.current_setting(" + quote_literal(name) + ")";
}

constexpr std::string_view client_encoding = "client_encoding";

/// What client_encoding has to be. A database without an encoding of its own holds bytes of any
/// kind; the server converts none of them, and ends a session that asks for UTF8 at the first one
/// that is not.
std::string right_encoding(std::string_view otherwise) {
  return "CASE " + current_setting("server_encoding") + " WHEN 'SQL_ASCII' THEN 'SQL_ASCII' ELSE " +
         quote_literal(otherwise) + " END";
}

} // namespace

std::string pin_settings_query(std::uint32_t server_version) {
  return select_settings(server_version, [](const pinned_setting& setting) {
    return "pg_catalog.set_config(" + quote_literal(setting.name) + ", " +
           (setting.name == client_encoding ? right_encoding(setting.value)
                                            : quote_literal(setting.value)) +
           ", false)";
  });
}

std::string read_settings_query(std::uint32_t server_version) {
  return select_settings(server_version, [](const pinned_setting& setting) {
    const auto shown = current_setting(setting.name);
    const auto judged = "CASE WHEN " + shown + " = " + right_encoding(setting.shown) + " THEN " +
                        quote_literal(setting.shown) + " END";
    return (setting.name == client_encoding ? judged : shown) + " AS " +
           quote_identifier(setting.name);
  });
}

std::string count_publications_query(std::span<const std::string> names) {
  return "SELECT pg_catalog.count(*) AS found FROM pg_catalog.pg_publication WHERE " +
         is_one_of(names);
}

std::string published_tables_query(std::span<const std::string> publications) {
  return "SELECT DISTINCT schemaname AS schema, tablename AS name "
         "FROM pg_catalog.pg_publication_tables WHERE " +
         is_one_of(publications);
}

std::string primary_key_query(std::uint32_t table) {
  // Behind its keys an index may hold columns that are only included.
  return "SELECT a.attname AS name FROM pg_catalog.pg_index i "
         "JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid "
         "AND a.attnum = ANY ((i.indkey::pg_catalog.int2[])[0:i.indnkeyatts - 1]) "
         "WHERE i.indisprimary AND i.indrelid = " +
         std::to_string(table);
}

std::string slot_query(std::string_view slot, std::uint32_t server_version) {
  std::string query = "SELECT slot_type, plugin, database, active_pid, restart_lsn, "
                      "confirmed_flush_lsn, wal_status, two_phase, (SELECT application_name FROM "
                      "pg_catalog.pg_stat_activity WHERE pid = active_pid) AS holder";
  if (server_version >= version_16)
    query += ", conflicting";
  if (server_version >= version_17)
    query += ", invalidation_reason, synced AND pg_catalog.pg_is_in_recovery() AS unpromoted";
  return query + " FROM pg_catalog.pg_replication_slots WHERE slot_name = " + quote_literal(slot);
}

std::string server_settings_query() {
  return "SELECT setting AS milliseconds, pg_catalog.current_setting('wal_level') AS wal_level, "
         "pg_catalog.pg_is_in_recovery() AS in_recovery "
         "FROM pg_catalog.pg_settings WHERE name = 'wal_sender_timeout' AND unit = 'ms'";
}

std::string unidentified_tables_query(std::span<const std::string> publications, std::size_t most,
                                      std::chrono::milliseconds patience) {
  // Statements sent as one are one transaction, and a local setting ends with it. Of a partitioned
  // table the identity of each leaf counts; an index serves when it is valid and checks at once.
  return "SELECT pg_catalog.set_config('statement_timeout', '" + std::to_string(patience.count()) +
         R"(', true);
    SELECT name, pg_catalog.count(*) OVER () AS count
    FROM (SELECT DISTINCT pg_catalog.format('%I.%I', s.nspname, leaf.relname) AS name
          FROM pg_catalog.pg_publication p
          JOIN pg_catalog.pg_publication_tables t USING (pubname)
          JOIN pg_catalog.pg_namespace n ON n.nspname = t.schemaname
          JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = t.tablename
          LEFT JOIN LATERAL pg_catalog.pg_partition_tree(c.oid) part ON part.isleaf
          JOIN pg_catalog.pg_class leaf ON leaf.oid = coalesce(part.relid, c.oid)
          JOIN pg_catalog.pg_namespace s ON s.oid = leaf.relnamespace
          WHERE p.)" +
         is_one_of(publications) + R"( AND (p.pubupdate OR p.pubdelete)
            AND leaf.relkind = 'r' AND leaf.relreplident <> 'f'
            AND NOT EXISTS (SELECT FROM pg_catalog.pg_index i
                            WHERE i.indrelid = leaf.oid AND i.indisvalid AND i.indimmediate
                              AND CASE leaf.relreplident WHEN 'd' THEN i.indisprimary
                                                         WHEN 'i' THEN i.indisreplident END)) found
    ORDER BY name LIMIT )" +
         std::to_string(most);
}

std::string server_instance_query() {
  return "SELECT pg_catalog.pg_postmaster_start_time() AS started";
}

std::string type_query(std::uint32_t oid) {
  // Each step is a look-up by index: a large catalog costs no more than a small one.
  return "WITH RECURSIVE step (oid, kind, part) AS ("
         "SELECT NULL::pg_catalog.oid, NULL::pg_catalog.text, " +
         std::to_string(oid) +
         "::pg_catalog.oid UNION "
         "SELECT step.part, found.kind, found.part FROM step CROSS JOIN LATERAL ("
         "SELECT 'domain', typbasetype FROM pg_catalog.pg_type "
         "WHERE oid = step.part AND typtype = 'd' UNION ALL "
         "SELECT 'array', typelem FROM pg_catalog.pg_type WHERE oid = step.part AND typtype = 'b' "
         "AND typoutput = 'pg_catalog.array_out'::pg_catalog.regproc UNION ALL "
         "SELECT 'range', rngsubtype FROM pg_catalog.pg_range WHERE rngtypid = step.part UNION ALL "
         "SELECT 'multirange', rngtypid FROM pg_catalog.pg_range "
         "WHERE rngmultitypid = step.part UNION ALL "
         "SELECT 'composite', atttypid FROM pg_catalog.pg_type LEFT JOIN pg_catalog.pg_attribute "
         "ON attrelid = typrelid AND attnum > 0 AND NOT attisdropped "
         "WHERE pg_type.oid = step.part AND typtype = 'c') AS found (kind, part)) "
         "SELECT step.oid, kind, part, typdelim AS delimiter, "
         "typtype = 'e' OR prosrc = 'textsend' AND prolang = 12 AS as_text FROM step "
         "LEFT JOIN pg_catalog.pg_type ON pg_type.oid = part "
         "LEFT JOIN pg_catalog.pg_proc ON pg_proc.oid = typsend";
}

std::string server_position_query() {
  return "SELECT pg_catalog.current_database() AS database, "
         "CASE WHEN pg_catalog.pg_is_in_recovery() THEN pg_catalog.pg_last_wal_replay_lsn() "
         "ELSE pg_catalog.pg_current_wal_lsn() END AS position";
}

std::string drop_slot_query(std::string_view slot) {
  return "SELECT pg_catalog.pg_drop_replication_slot(" + quote_literal(slot) + ")";
}

std::string cancel_query(std::uint32_t pid) {
  return "SELECT pg_catalog.pg_cancel_backend(" + std::to_string(pid) + ")";
}

} // namespace replicant
