// SPDX-License-Identifier: MIT
#include "replicant/config/foreign_keys.hpp"

#include "replicant/config/interpret.hpp"
#include "replicant/config/reading.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace replicant {

namespace {

/// A key, or a kind of sink, that this version does not have.
struct unbuilt {
  std::string_view path;
  std::string_view name;
  std::string_view text; ///< What it would do, what this version does, what to write now.
};

constexpr std::string_view in_pipeline = "pipeline";
constexpr std::string_view in_connection = "pipeline.connection";
constexpr std::string_view in_store = "pipeline.checkpoint_store";
constexpr std::string_view in_sink = "pipeline.sink";

constexpr std::array unbuilt_keys{
  unbuilt{in_pipeline, "decoder",
          "would choose the output plugin; this version reads pgoutput alone, which every server "
          "has; remove it"},
  unbuilt{in_pipeline, "replication_sets",
          "would choose tables for the plugin pglogical; this version reads pgoutput alone; remove "
          "it and name a publication, for example publication = \"shop_pub\""},
  unbuilt{in_pipeline, "tables",
          "would choose tables for the plugin wal2json; this version reads pgoutput alone; remove "
          "it and choose them by CREATE PUBLICATION <name> FOR TABLE <table>;"},
  unbuilt{in_pipeline, "allow_keyless_tables",
          "would permit tables without a key for the plugin wal2json; this version reads pgoutput "
          "alone and takes such tables as they come; remove it"},
  unbuilt{in_pipeline, "schema_check_interval",
          "would look for changed tables for the plugin wal2json; this version reads pgoutput "
          "alone, which tells of them by itself; remove it"},
  unbuilt{in_pipeline, "snapshot",
          "would copy the rows that exist already; this version streams changes only; remove it, "
          "and write go_forward_only = true to begin at the present moment"},
  unbuilt{in_pipeline, "batch",
          "would collect transactions, and no version has that here; remove it, or write "
          "[pipeline.batch_delivery] for a sink that takes batches, or "
          "[pipeline.checkpoint_store.batch]"},
  unbuilt{in_store, "progress_table",
          "would name the table for the progress of a copy of existing rows; this version copies "
          "none; remove it"},
  unbuilt{in_pipeline, "publication_scope",
          "would let replicant make and watch its publication; this version does not; remove it, "
          "and run CREATE PUBLICATION <name> FOR TABLE <table>;"},
};

constexpr std::array unbuilt_sinks{
  unbuilt{in_sink, "mirror",
          "would keep a copy of the tables in another database; this version does not; write kind "
          "= \"jsonl\" and load its lines there"},
  unbuilt{in_sink, "stdout", R"(is written as kind = "jsonl" with path = "-" in this version)"},
};

/// What libpq is told in the connection string, by the names that people give it, and how it is
/// written there.
struct parameter {
  std::string_view name;
  std::string_view example;
};

constexpr std::array parameters{
  parameter{"host", "host=db1"},
  parameter{"hostname", "host=db1"},
  parameter{"server", "host=db1"},
  parameter{"hostaddr", "hostaddr=10.0.0.1"},
  parameter{"port", "port=5432"},
  parameter{"user", "user=cdc"},
  parameter{"username", "user=cdc"},
  parameter{"password", "password=${PGPASSWORD}"},
  parameter{"passfile", "passfile=/etc/replicant/pgpass"},
  parameter{"dbname", "dbname=shop"},
  parameter{"database", "dbname=shop"},
  parameter{"service", "service=shop"},
  parameter{"application_name", "application_name=shop"},
  parameter{"connect_timeout", "connect_timeout=10"},
  parameter{"options", "options='-c work_mem=64MB'"},
  parameter{"target_session_attrs", "target_session_attrs=primary"},
  parameter{"ssl", "sslmode=verify-full"},
  parameter{"sslmode", "sslmode=verify-full"},
  parameter{"sslrootcert", "sslrootcert=/etc/replicant/ca.crt"},
  parameter{"sslcert", "sslcert=/etc/replicant/client.crt"},
  parameter{"sslkey", "sslkey=/etc/replicant/client.key"},
  parameter{"channel_binding", "channel_binding=require"},
  parameter{"url", "postgresql://cdc@db1/shop"},
  parameter{"uri", "postgresql://cdc@db1/shop"},
  parameter{"dsn", "host=db1 dbname=shop user=cdc"},
  parameter{"connection_string", "host=db1 dbname=shop user=cdc"},
};

std::optional<std::string> about_unbuilt(std::span<const unbuilt> table, std::string_view path,
                                         std::string_view name) {
  const auto found = std::ranges::find_if(
    table, [&](const unbuilt& one) { return one.path == path && one.name == name; });
  if (found == table.end())
    return std::nullopt;
  return std::string{found->text};
}

std::optional<std::string> about_parameter(std::string_view path, std::string_view name) {
  const auto* const found = std::ranges::find(parameters, name, &parameter::name);
  const auto may_mean_it =
    path == in_pipeline || path == in_connection || path == in_store || path.empty();
  if (found == parameters.end() || !may_mean_it)
    return std::nullopt;
  return std::string{"is part of the connection string; write it in ["}
    .append(path == in_store ? in_store : in_connection)
    .append("] as conninfo = \"")
    .append(found->example)
    .append("\", with the rest of the string");
}

std::optional<std::string> about_misplaced(std::string_view path, std::string_view name) {
  for (const std::string_view known : known_keys()) {
    const auto dot = std::min(known.rfind('.'), known.size());
    const auto table = dot == known.size() ? std::string_view{} : known.substr(0, dot);
    if (known.substr(table.empty() ? 0 : dot + 1) != name || table.empty())
      continue;
    if (table == path)
      return "belongs to a sink of another kind; remove it, or choose that kind";
    const auto* const brackets = table == in_pipeline ? "[[" : "[";
    return std::string{"is a key of another table; write it under "}
      .append(brackets)
      .append(table)
      .append(table == in_pipeline ? "]]" : "]");
  }
  return std::nullopt;
}

} // namespace

std::optional<std::string> explain_foreign_key(std::string_view path, std::string_view name) {
  auto text = about_unbuilt(unbuilt_keys, path, name);
  if (!text)
    text = about_parameter(path, name);
  if (!text)
    text = about_misplaced(path, name);
  return text;
}

std::optional<std::string> explain_foreign_sink(std::string_view kind) {
  return about_unbuilt(unbuilt_sinks, in_sink, kind);
}

} // namespace replicant
