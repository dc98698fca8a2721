// SPDX-License-Identifier: MIT
#include "replicant/core/model/session_settings.hpp"
#include "replicant/tests/postgres/stream_fixture.hpp"
#include "replicant/tests/support/environment.hpp"
#include "replicant/tests/support/tcp_proxy.hpp"

#include <fstream>
#include <thread>

using namespace replicant;
using namespace replicant::postgres;
using namespace replicant::test;

namespace {

constexpr const char* hostile_role = R"(
  CREATE ROLE cdc LOGIN REPLICATION;
  ALTER ROLE cdc SET client_encoding = 'LATIN1';
  ALTER ROLE cdc SET DateStyle = 'SQL, DMY';
  ALTER ROLE cdc SET IntervalStyle = 'sql_standard';
  ALTER ROLE cdc SET TimeZone = 'Asia/Kolkata';
  ALTER ROLE cdc SET extra_float_digits = 0;
  ALTER ROLE cdc SET bytea_output = 'escape';
  ALTER ROLE cdc SET lc_monetary = 'C.UTF-8';
  ALTER ROLE cdc SET search_path = 'public';
  ALTER ROLE cdc SET quote_all_identifiers = on;
  ALTER ROLE cdc SET xmlbinary = 'hex';
  ALTER ROLE cdc SET standard_conforming_strings = off;
  ALTER ROLE cdc SET statement_timeout = '150ms';
  ALTER ROLE cdc SET lock_timeout = '150ms';
  ALTER ROLE cdc SET idle_in_transaction_session_timeout = '150ms';
  ALTER ROLE cdc SET idle_session_timeout = '150ms';
  ALTER ROLE cdc SET client_min_messages = 'error';
)";

constexpr const char* shaped_row = R"(
  CREATE TABLE public.shaped (id int PRIMARY KEY, f float8, b bytea, i interval, d date,
                              t timestamptz, r regclass, s text);
  CREATE PUBLICATION p FOR ALL TABLES;
)";

constexpr const char* insert_row = R"(
  INSERT INTO public.shaped VALUES (1, 3.141592653589793, '\xdeadbeef5c', '1 mon 2 days 03:00:00',
    '2026-07-15', '2026-07-15 13:39:10+00', 'public.shaped', 'é')
)";

void check_shape(const stream_reader& reader) {
  for (const auto* text : {"3.141592653589793", "\\xdeadbeef5c", "1 mon 2 days 03:00:00",
                           "2026-07-15", "2026-07-15 13:39:10+00", "public.shaped", "é"}) {
    INFO(text);
    CHECK(reader.seen(text));
  }
  CHECK_FALSE(reader.seen("\"public\""));
}

} // namespace

TEST_CASE("hostile settings of the role change neither values nor the life of the sessions",
          "[postgres][settings]") {
  const pg_cluster server;
  server.exec(hostile_role);
  server.exec(shaped_row);
  streaming_source stream{options_for(server.conninfo("user=cdc dbname=postgres"))};
  // Longer than every hostile time-out: companion and stream live on.
  CHECK_FALSE(stream.reader.wait(false, std::chrono::milliseconds{400}));
  CHECK_FALSE(stream.source.server_is_leaving());
  server.exec(insert_row);
  REQUIRE(stream.reader.read_commit());
  check_shape(stream.reader);
  CHECK(server.client().value("SELECT count(*) FROM pg_stat_activity WHERE usename = 'cdc'") ==
        "2");
}

TEST_CASE("settings in the environment, which beat the options, are overcome",
          "[postgres][settings]") {
  const pg_cluster server;
  server.exec(shaped_row);
  std::optional<environment> hostile{std::in_place};
  hostile->set("PGTZ", "Asia/Kolkata");
  hostile->set("PGDATESTYLE", "SQL, DMY");
  hostile->set("PGCLIENTENCODING", "LATIN1");
  streaming_source stream{options_for(server.conninfo())};
  hostile.reset();
  server.exec(insert_row);
  REQUIRE(stream.reader.read_commit());
  check_shape(stream.reader);
}

TEST_CASE("a database without an encoding sends bytes of every kind", "[postgres][settings]") {
  const pg_cluster server;
  server.exec("CREATE DATABASE bytes ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' "
              "TEMPLATE template0");
  auto session = server.client("bytes");
  session.exec("CREATE TABLE t (id int PRIMARY KEY, note text); CREATE PUBLICATION p FOR TABLE t");
  streaming_source stream{options_for(server.conninfo("user=postgres dbname=bytes"))};
  session.exec("INSERT INTO t VALUES (1, convert_from('\\xe9ff', 'SQL_ASCII'))");
  REQUIRE(stream.reader.read_commit());
  CHECK(stream.reader.seen("\xe9\xff"));
}

TEST_CASE("the user's own options reach the session from wherever they come",
          "[postgres][settings]") {
  const pg_cluster server;
  environment changed;
  const auto timeout_of = [](const std::string& conninfo) {
    postgres_source source{options_for(conninfo)};
    const auto facts = source.connect();
    REQUIRE(facts);
    return facts->wal_sender_timeout;
  };
  const auto option = [](int seconds) {
    return "-c wal_sender_timeout=" + std::to_string(seconds) + "s";
  };
  using std::chrono::seconds;
  const std::string user = "user=postgres dbname=postgres";
  CHECK(timeout_of(server.conninfo(user + " options='" + option(7) + "'")) == seconds{7});
  CHECK(timeout_of(server.conninfo(user + " options='-c wal_sender_timeout=0'")) == seconds{0});

  const temp_dir folder;
  std::ofstream{folder / "services"} << "[shop]\noptions=" << option(8) << "\n";
  changed.set("PGSERVICEFILE", folder / "services");
  CHECK(timeout_of(server.conninfo(user + " service=shop")) == seconds{8});

  changed.set("PGOPTIONS", option(9));
  CHECK(timeout_of(server.conninfo(user)) == seconds{9});
  CHECK(timeout_of(server.conninfo(user + " service=shop")) == seconds{8});
}

TEST_CASE("a setting that does not stick is refused by name", "[postgres][settings]") {
  const pg_cluster server;
  tcp_proxy pooler{server.port()};
  pooler.rewrite("ISO, YMD", "ISO, MDY");
  const auto failure = connect_failure("host=127.0.0.1 port=" + std::to_string(pooler.port()) +
                                       " user=postgres dbname=postgres");
  CHECK(failure.why == reason::setting_refused);
  CHECK(failure.facts[0].kind == fact_kind::setting);
  CHECK(pinned_setting_name(failure.facts[0].value) == "DateStyle");
}

TEST_CASE("a server before 14 is refused as such", "[postgres][settings]") {
  const pg_cluster server;
  tcp_proxy old{server.port()};
  const std::string name{"server_version\0", 15};
  old.rewrite(name + std::to_string(server.major()), name + "13");
  const auto failure = connect_failure("host=127.0.0.1 port=" + std::to_string(old.port()) +
                                       " user=postgres dbname=postgres");
  CHECK(failure.why == reason::server_unsupported);
  CHECK(failure.facts[0].kind == fact_kind::server_version);
  CHECK(failure.facts[0].value / 10000 == 13);
}
