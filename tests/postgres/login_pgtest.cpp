// SPDX-License-Identifier: MIT
#include "replicant/tests/postgres/stream_fixture.hpp"
#include "replicant/tests/support/environment.hpp"
#include "replicant/tests/support/permissions.hpp"
#include "replicant/tests/support/tcp_proxy.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <filesystem>
#include <fstream>
#include <iostream>

using namespace replicant;
using namespace replicant::postgres;
using namespace replicant::test;

namespace {

constexpr const char* hba = R"(
local all postgres trust
local all all scram-sha-256
host nobody all 127.0.0.1/32 reject
host all all 127.0.0.1/32 scram-sha-256
host all all ::1/128 scram-sha-256
)";

constexpr const char* password = R"(ALTER ROLE cdc PASSWORD 'p @:/?#[]%41+''"\é')";

/// The same password in each of the spellings.
constexpr const char* in_keywords = R"(password='p @:/?#[]%41+\'"\\é')";
constexpr const char* in_uri = "p%20%40%3A%2F%3F%23%5B%5D%2541%2B%27%22%5C%C3%A9";
constexpr const char* raw = R"(p @:/?#[]%41+'"\é)";
constexpr const char* in_passfile = R"(p @\:/?#[]%41+'"\\é)";

struct guarded_server {
  explicit guarded_server(const std::string& conf = {}) : server{{.conf = {conf}, .hba = hba}} {
    grant_permissions(server);
    server.exec(password);
  }

  [[nodiscard]] std::string at(const std::string& rest) const {
    return server.tcp_conninfo("user=cdc dbname=postgres " + rest);
  }

  pg_cluster server;
};

/// Connects, with both sessions, and says so.
bool logs_in(const guarded_server& guarded, const std::string& conninfo) {
  postgres_source source{options_for(conninfo)};
  const auto facts = source.connect();
  if (!facts) {
    UNSCOPED_INFO(to_string(facts.error()));
    return false;
  }
  return guarded.server.client().value("SELECT string_agg(backend_type, ',' ORDER BY backend_type) "
                                       "FROM pg_stat_activity WHERE usename = 'cdc' AND "
                                       "application_name = 'replicant'") ==
         "client backend,walsender";
}

} // namespace

TEST_CASE("a password with special characters works in every spelling", "[postgres][login]") {
  const guarded_server guarded;
  environment changed;
  const temp_dir folder;
  const auto port = std::to_string(guarded.server.port());

  CHECK(logs_in(guarded, guarded.at(in_keywords)));
  CHECK(logs_in(guarded,
                "postgresql://cdc:" + std::string{in_uri} + "@127.0.0.1:" + port + "/postgres"));

  std::ofstream{folder / "pgpass"} << "127.0.0.1:" << port << ":*:cdc:" << in_passfile << "\n";
  std::filesystem::permissions(folder / "pgpass", std::filesystem::perms{0600});
  CHECK(logs_in(guarded, guarded.at("passfile=" + folder / "pgpass")));

  std::ofstream{folder / "services"} << "[shop]\nhost=127.0.0.1\nport=" << port
                                     << "\nuser=cdc\ndbname=postgres\npassword=" << raw << "\n";
  changed.set("PGSERVICEFILE", folder / "services");
  CHECK(logs_in(guarded, "service=shop"));
  CHECK(logs_in(guarded, "postgresql:///?service=shop"));

  changed.set("PGPASSWORD", raw);
  CHECK(logs_in(guarded, guarded.at("")));
}

TEST_CASE("a unix socket, an address and a name with an address are reached", "[postgres][login]") {
  const guarded_server guarded;
  const environment clean;
  const auto who = "user=cdc dbname=postgres " + std::string{in_keywords};
  const auto at_port = " port=" + std::to_string(guarded.server.port()) + " " + who;
  CHECK(logs_in(guarded, guarded.server.conninfo(who)));
  CHECK(logs_in(guarded, "hostaddr=127.0.0.1" + at_port));
  CHECK(logs_in(guarded, "host=db.invalid hostaddr=127.0.0.1" + at_port));
  CHECK(logs_in(guarded, "host=localhost" + at_port));
}

TEST_CASE("IPv6 is reached, in keywords and in a URI", "[postgres][login]") {
  std::optional<guarded_server> guarded;
  try {
    guarded.emplace("listen_addresses = '127.0.0.1,::1'");
  } catch (const std::runtime_error&) {
    std::cerr << "SKIPPED: this machine has no IPv6 loopback\n";
    return;
  }
  const environment clean;
  const auto port = std::to_string(guarded->server.port());
  CHECK(logs_in(*guarded, "host=::1 port=" + port + " user=cdc dbname=postgres " + in_keywords));
  CHECK(
    logs_in(*guarded, "postgresql://cdc:" + std::string{in_uri} + "@[::1]:" + port + "/postgres"));
}

TEST_CASE("of several hosts the first that answers is taken, and the companion follows",
          "[postgres][login]") {
  const guarded_server guarded;
  const environment clean;
  const auto port = std::to_string(guarded.server.port());
  const std::string who = " user=cdc dbname=postgres " + std::string{in_keywords};
  const auto dead = std::to_string(free_port());
  CHECK(logs_in(guarded, "host=127.0.0.1,127.0.0.1 port=" + dead + "," + port + who));
  CHECK(logs_in(guarded, "host=127.0.0.1,127.0.0.1 port=" + dead + "," + port + who +
                           " target_session_attrs=read-write"));
  CHECK(logs_in(guarded, "host=127.0.0.1,127.0.0.1 port=" + dead + "," + port + who +
                           " target_session_attrs=prefer-standby"));
  CHECK(connect_failure("host=127.0.0.1,127.0.0.1 port=" + dead + "," + port + who +
                        " target_session_attrs=standby")
          .why == reason::server_unavailable);

  // A host that takes the connection and then says nothing must not be the end of it.
  tcp_proxy silent{guarded.server.port()};
  silent.stall();
  CHECK(logs_in(guarded, "host=127.0.0.1,127.0.0.1 port=" + std::to_string(silent.port()) + "," +
                           port + who + " connect_timeout=1"));
}

TEST_CASE("a login that the server refuses is refused for good", "[postgres][login]") {
  const guarded_server guarded;
  const environment clean;
  const auto code = [](const fault& what) { return std::string{what.code.text()}; };

  const auto wrong = connect_failure(guarded.at("password=wrong"));
  CHECK(wrong.why == reason::password_wrong);
  CHECK(code(wrong) == "28P01");

  const auto unknown_role = connect_failure(
    guarded.server.tcp_conninfo("user=nobody dbname=postgres " + std::string{in_keywords}));
  CHECK(unknown_role.why == reason::password_wrong);

  CHECK(connect_failure(guarded.at("passfile=/dev/null/none")).why == reason::password_missing);

  const auto rejected = connect_failure(
    guarded.server.tcp_conninfo("user=cdc dbname=nobody " + std::string{in_keywords}));
  CHECK(rejected.why == reason::authentication_failed);
  CHECK(code(rejected) == "28000");

  const auto missing = connect_failure(
    guarded.server.tcp_conninfo("user=cdc dbname=nowhere " + std::string{in_keywords}));
  CHECK(missing.why == reason::database_missing);
  CHECK(code(missing) == "3D000");

  guarded.server.exec("ALTER ROLE cdc NOREPLICATION");
  const auto unprivileged = connect_failure(guarded.at(in_keywords));
  CHECK(unprivileged.why == reason::replication_right_missing);
  CHECK(code(unprivileged) == "42501");
  guarded.server.exec("REVOKE CONNECT ON DATABASE postgres FROM PUBLIC");
  CHECK(connect_failure(guarded.at(in_keywords)).why == reason::connect_right_missing);
  guarded.server.exec("ALTER ROLE cdc REPLICATION");
  CHECK(connect_failure(guarded.at(in_keywords)).why == reason::connect_right_missing);
  guarded.server.exec("GRANT CONNECT ON DATABASE postgres TO cdc");
  CHECK(logs_in(guarded, guarded.at(in_keywords)));

  const auto unknown = connect_failure(
    guarded.server.conninfo("user=postgres dbname=postgres options='-c no_such_setting=1'"));
  CHECK(unknown.why == reason::command_failed);
  CHECK(code(unknown) == "42704");

  CHECK(connect_failure(guarded.at("sslmode=require")).why == reason::tls_unavailable);
}

TEST_CASE("a role that may have one session only streams without a companion",
          "[postgres][login]") {
  const guarded_server guarded;
  const environment clean;
  guarded.server.exec("ALTER ROLE cdc CONNECTION LIMIT 1; CREATE TABLE t (id int PRIMARY KEY); "
                      "CREATE PUBLICATION p FOR ALL TABLES");
  streaming_source stream{options_for(guarded.at(in_keywords))};
  guarded.server.exec("INSERT INTO t VALUES (1)");
  CHECK(stream.reader.read_commit());
  CHECK_FALSE(stream.source.server_is_leaving());
}

TEST_CASE("a server that is away, starting or full is tried again later", "[postgres][login]") {
  pg_cluster server{{.conf = {"max_wal_senders = 1"}, .hba = {}}};
  CHECK(connect_failure("host=127.0.0.1 port=" + std::to_string(free_port())).why ==
        reason::server_unavailable);
  CHECK(connect_failure("host=/nowhere").why == reason::server_unavailable);
  CHECK(connect_failure("host=nowhere.invalid").why == reason::server_unavailable);

  const sql_client other{server.conninfo("user=postgres dbname=postgres replication=database")};
  const auto full = connect_failure(server.conninfo());
  CHECK(full.why == reason::connections_exhausted);
  CHECK(full.code.text() == "53300");

  // A standby that never lets anybody in stays in the state of a server that starts.
  server.stop();
  std::ofstream{server.data_folder() + "/standby.signal"};
  server.configure("hot_standby = off");
  server.launch();
  fault starting;
  CHECK(wait_until([&] {
    starting = connect_failure(server.conninfo());
    return starting.code.text() == "57P03";
  }));
  CHECK(starting.why == reason::server_unavailable);
}
