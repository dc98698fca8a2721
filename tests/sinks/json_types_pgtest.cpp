// SPDX-License-Identifier: MIT
#include "replicant/core/model/session_settings.hpp"
#include "replicant/core/protocol/sql_quoting.hpp"
#include "replicant/tests/sinks/json_types.hpp"
#include "replicant/tests/support/pg_cluster.hpp"
#include "replicant/tests/support/program.hpp"
#include "replicant/tests/support/test_files.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <fstream>
#include <iostream>

using namespace replicant::test;

namespace {

/// How many values are generated for each type.
std::string values_per_type() {
  const auto* const text = std::getenv("REPLICANT_JSON_VALUES");
  return text == nullptr ? "1000" : text;
}

constexpr const char* hostile_role = R"(
  CREATE ROLE cdc LOGIN REPLICATION;
  ALTER ROLE cdc SET DateStyle = 'SQL, DMY';
  ALTER ROLE cdc SET IntervalStyle = 'iso_8601';
  ALTER ROLE cdc SET TimeZone = 'Asia/Kolkata';
  ALTER ROLE cdc SET extra_float_digits = 0;
  ALTER ROLE cdc SET bytea_output = 'escape';
  ALTER ROLE cdc SET lc_monetary = 'C.UTF-8';
  ALTER ROLE cdc SET search_path = 'public';
  ALTER ROLE cdc SET xmlbinary = 'hex')";

/// The server's answer to what `value` is, in the notation of compare_values.py.
std::string answer(const std::string& rule, const std::string& value) {
  if (!rule.starts_with("array "))
    return "CASE WHEN " + value + " IS NOT DISTINCT FROM NULL THEN NULL ELSE format('%s', " +
           value + ") END";
  const auto element = "e" + value;
  return "CASE WHEN " + value + " IS NULL THEN NULL ELSE json_build_object('text', format('%s', " +
         value + "), 'dims', array_dims(" + value + "), 'elements', (SELECT coalesce(json_agg(" +
         answer(rule.substr(6), element) + "), '[]') FROM (SELECT unnest(" + value + ") AS " +
         element + ") u)) END";
}

std::string insert_values(const typed_values& values) {
  auto sql = "INSERT INTO data." + values.table + " SELECT n, " + values.random +
             " FROM generate_series(1, " + values_per_type() + ") n; INSERT INTO data." +
             values.table + " VALUES (0, NULL)";
  int id = 0;
  for (const auto& text : values.nasty)
    sql += ", (" + std::to_string(--id) + ", " + replicant::quote_literal(text) + ")";
  return sql;
}

/// What the server has, in a session that is pinned as the stream must be.
void ask_server(const pg_cluster& server, const std::vector<typed_values>& types,
                const std::string& file) {
  auto session = server.client();
  for (const auto& [name, value, shown, since] : replicant::pinned_settings)
    if (since == 0)
      session.exec("SET " + std::string{name} + " = " +
                   (name == "DateStyle" ? std::string{shown} : replicant::quote_literal(shown)));
  std::ofstream to{file};
  for (const auto& one : types)
    for (const auto& row :
         session.exec("SELECT json_build_object('t', '" + one.table + "', 'rule', '" + one.rule +
                      "', 'id', id, 'v', " + answer(one.rule, "v") + ") FROM data." + one.table))
      to << row.at(0).value() << '\n';
  REQUIRE(to.flush());
}

void wait_for_stream(program& replicant) {
  replicant.start();
  const auto streams =
    wait_until([&] { return replicant.says("streaming from") || !replicant.running(); });
  INFO(replicant.output());
  REQUIRE(streams);
  REQUIRE(replicant.running());
}

void drain_and_stop(const pg_cluster& server, program& replicant) {
  const auto end = server.client().value("SELECT pg_current_wal_lsn()");
  const auto drained = wait_until(
    [&] {
      return !replicant.running() ||
             server.client().holds("SELECT confirmed_flush_lsn >= '" + end +
                                   "' FROM pg_replication_slots WHERE slot_name = 'shop'");
    },
    std::chrono::minutes{2});
  INFO(replicant.output());
  REQUIRE(drained);
  REQUIRE(replicant.stop() == ending{.exit_code = 0});
}

void compare(const program& replicant, const std::string& expected, const std::string& numeric) {
  const auto told = replicant.path("told");
  child_process comparison{{"python3", "-B", REPLICANT_SUPPORT "/compare_values.py",
                            replicant.file(), expected, "--numeric", numeric},
                           told};
  const auto status = comparison.wait(std::chrono::minutes{5});
  INFO(read_file(told));
  REQUIRE(status == 0);
  std::cout << Catch::getResultCapture().getCurrentTestName() << ": " << read_file(told);
}

program_options as_hostile_role(const pg_cluster& server, const std::string& database, bool binary,
                                const std::string& numeric) {
  return {.conninfo = server.conninfo("user=cdc dbname=" + database),
          .pipeline = {binary ? "binary = true" : "binary = false"},
          .rest = {"numeric = \"" + numeric + "\""}};
}

void every_type_is_right(bool binary, const std::string& numeric) {
  const pg_cluster server;
  server.exec(hostile_role);
  server.exec(json_types_setup());
  auto types = json_types();
  std::erase_if(types, [&](const typed_values& one) {
    return one.since > server.major() || (binary && !one.binary_known);
  });
  auto session = server.client();
  for (const auto& one : types)
    session.exec("CREATE TABLE data." + one.table + " (id int PRIMARY KEY, v " + one.type + ")");
  session.exec("CREATE PUBLICATION shop FOR ALL TABLES");
  program replicant{as_hostile_role(server, "postgres", binary, numeric)};
  wait_for_stream(replicant);
  for (const auto& one : types)
    session.exec(insert_values(one));
  const auto expected = replicant.path("expected");
  ask_server(server, types, expected);
  drain_and_stop(server, replicant);
  compare(replicant, expected, numeric);
}

} // namespace

TEST_CASE("values of every type in text form are what the server says", "[sinks][postgres]") {
  every_type_is_right(false, "string");
}

TEST_CASE("values of every type in binary form are what the server says", "[sinks][postgres]") {
  every_type_is_right(true, "number");
}

TEST_CASE("bytes of a database without an encoding come back", "[sinks][postgres]") {
  const pg_cluster server;
  server.exec(hostile_role);
  server.exec("CREATE DATABASE bytes ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' "
              "TEMPLATE template0");
  auto session = server.client("bytes");
  session.exec(R"(
    CREATE TABLE words (id int PRIMARY KEY, v text);
    CREATE TABLE lists (id int PRIMARY KEY, v text[]);
    CREATE TABLE documents (id int PRIMARY KEY, v json);
    CREATE FUNCTION hex(v text) RETURNS json LANGUAGE sql AS
      $$ SELECT json_build_object('hex', encode(convert_to(v, 'SQL_ASCII'), 'hex')) $$;
    CREATE PUBLICATION shop FOR ALL TABLES)");
  for (const bool binary : {false, true}) {
    program replicant{as_hostile_role(server, "bytes", binary, "string")};
    wait_for_stream(replicant);
    session.exec(R"(
      INSERT INTO words SELECT n, convert_from(decode(string_agg(
          lpad(to_hex(1 + (n * 37 + i * i * 91) % 255), 2, '0'), ''), 'hex'), 'SQL_ASCII')
        FROM generate_series(1, 500) n, generate_series(1, 12) i GROUP BY n;
      INSERT INTO lists SELECT id, ARRAY[v, NULL, '', v || v] FROM words;
      INSERT INTO documents SELECT id, to_json(v) FROM words)");
    const auto expected = replicant.path("expected");
    std::ofstream to{expected};
    for (const auto& row : session.exec(R"(
        WITH answer (t, rule, id, v) AS (
          SELECT 'words', 'text', id, hex(v) FROM words
          UNION ALL SELECT 'lists', 'array text', id, json_build_object('dims', '[1:4]', 'elements',
            json_build_array(hex(v[1]), NULL, hex(v[3]), hex(v[4]))) FROM lists
          UNION ALL SELECT 'documents', 'json', id, hex(v::text) FROM documents)
        SELECT row_to_json(answer) FROM answer)"))
      to << row.at(0).value() << '\n';
    REQUIRE(to.flush());
    drain_and_stop(server, replicant);
    compare(replicant, expected, "string");
    session.exec("SELECT pg_drop_replication_slot('shop'); TRUNCATE words, lists, documents");
  }
}

TEST_CASE("a binary value of unknown form halts with the table, and nothing is guessed",
          "[sinks][postgres]") {
  const pg_cluster server;
  server.exec(hostile_role);
  auto session = server.client();
  session.exec("CREATE EXTENSION hstore; CREATE TABLE t (id int PRIMARY KEY, v hstore);"
               "CREATE PUBLICATION shop FOR ALL TABLES");
  const auto oid = session.value("SELECT 't'::regclass::oid");
  program replicant{as_hostile_role(server, "postgres", true, "string")};
  wait_for_stream(replicant);
  session.exec("INSERT INTO t VALUES (1, 'a=>planted')");
  CHECK(replicant.wait() == ending{.exit_code = 1});
  CHECK(replicant.says("binary_unreadable"));
  CHECK(replicant.says("relation=" + oid));
  CHECK_FALSE(replicant.says("planted"));
  CHECK(replicant.content().find("planted") == std::string::npos);
}

TEST_CASE("a type that cannot be looked up now is looked up again, and no row is lost or repeated",
          "[sinks][postgres]") {
  const pg_cluster server;
  server.exec(hostile_role);
  auto session = server.client();
  session.exec("CREATE DOMAIN amount AS int; CREATE TABLE t (id int PRIMARY KEY, v amount);"
               "CREATE PUBLICATION shop FOR ALL TABLES");
  program replicant{as_hostile_role(server, "postgres", false, "string")};
  wait_for_stream(replicant);
  // Those who are in stay in.
  session.exec("ALTER ROLE cdc CONNECTION LIMIT 0");
  session.exec("INSERT INTO t SELECT n, n FROM generate_series(1, 100) n");
  const auto refused = wait_until([&] { return replicant.says("connections_exhausted"); });
  INFO(replicant.output());
  REQUIRE(refused);
  CHECK(replicant.content().find("\"v\":") == std::string::npos);
  session.exec("ALTER ROLE cdc CONNECTION LIMIT -1");
  const auto expected = replicant.path("expected");
  std::ofstream to{expected};
  for (const auto& row : session.exec("SELECT json_build_object('t', 't', 'rule', 'number', 'id', "
                                      "id, 'v', v::text) FROM t"))
    to << row.at(0).value() << '\n';
  REQUIRE(to.flush());
  drain_and_stop(server, replicant);
  compare(replicant, expected, "string");
}
