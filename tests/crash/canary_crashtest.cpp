// SPDX-License-Identifier: MIT
#include "replicant/tests/crash/scene.hpp"
#include "replicant/tests/support/http_client.hpp"
#include "replicant/tests/support/test_files.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <fstream>

using namespace replicant::test;
using namespace std::chrono_literals;

namespace {

/// Planted wherever a secret can be.
const std::string canary = "canary_5b1e7";

/// With all that a connection string could stumble over.
const std::string password = canary + " '&@/%\\";

/// Where the program tells its metrics.
int metrics_port() {
  static const auto port = free_port();
  return port;
}

/// The files beside the one with the rows that hold the canary: log, stderr, records of halts, and
/// what `replicant status` and HTTP answer.
std::vector<std::string> leaks(const program& replicant) {
  const auto status = replicant.status();
  const auto text = replicant.status_text();
  REQUIRE(status["name"] == "shop");
  REQUIRE(text.find("shop") != std::string::npos);
  std::ofstream{replicant.path("status.json")} << status;
  std::ofstream{replicant.path("status.text")} << text;
  for (const std::string page : {"metrics", "readyz", "livez"}) {
    const auto told = http_get(metrics_port(), "/" + page);
    std::ofstream{replicant.path(page), std::ios::app} << told.head << told.body;
  }
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator{replicant.path("")})
    if (entry.is_regular_file() && entry.path() != replicant.file() &&
        read_file(entry.path()).find(canary) != std::string::npos)
      found.push_back(entry.path().filename());
  return found;
}

/// What the server tells a client that shows it, as proof that `leaks` would find it.
std::string told_to_others(const pg_cluster& server) {
  try {
    server.exec("SELECT encode('x', '" + canary + "')");
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return {};
}

/// Its users need passwords, and it warns whoever comes as "cdc", with the canary.
struct secretive_server : pg_cluster {
  secretive_server()
    : pg_cluster{{.hba = "local all postgres trust\n"
                         "local all all scram-sha-256\n"
                         "host all all 127.0.0.1/32 scram-sha-256\n"}} {
    auto session = client();
    session.exec("CREATE ROLE cdc LOGIN REPLICATION PASSWORD $_$" + password + "$_$");
    session.exec("ALTER ROLE cdc SET default_tablespace = '" + canary + "'");
    session.exec("CREATE TABLE kept (key text PRIMARY KEY, value text)");
    session.exec("ALTER TABLE kept REPLICA IDENTITY FULL");
    // A filter whose evaluation fails with the value in the server's message.
    session.exec("CREATE PUBLICATION shop FOR TABLE kept WHERE (encode('x'::bytea, value) <> '')");
  }
};

program_options telling_all(const std::string& conninfo, const std::string& format) {
  return {.conninfo = conninfo,
          .runtime = {"log_level = \"trace\"", "log_format = \"" + format + '"',
                      "metrics = \"127.0.0.1:" + std::to_string(metrics_port()) + '"'},
          .pipeline = {"messages = true", "max_command_retries = 1"}};
}

const std::string with_password = "SHOP_PASSWORD=" + password;

} // namespace

TEST_CASE("no value, key, message or text of the server reaches log, status or metrics",
          "[crash][canary]") {
  const secretive_server server;
  const auto format = GENERATE(as<std::string>{}, "text", "json");
  INFO(format);
  program replicant{
    telling_all(server.conninfo("user=cdc dbname=postgres password=${SHOP_PASSWORD}"), format)};
  replicant.start({with_password});
  REQUIRE(wait_until([&] { return !slot(server, "active_pid").empty(); }));
  server.exec("INSERT INTO kept VALUES ('" + canary +
              "', 'hex'); UPDATE kept SET key = key || '2';" +
              "DELETE FROM kept; SELECT pg_logical_emit_message(true, '" + canary + "', '" +
              canary + "'), pg_logical_emit_message(false, '" + canary + "', '" + canary +
              "'::bytea || '\\x00ff'::bytea)");
  REQUIRE(wait_until([&, end = wal_end(server)] { return confirmed(server) >= end; }));
  CHECK(replicant.content().find(canary) != std::string::npos);
  CHECK(leaks(replicant).empty());
  CHECK(read_file(replicant.path("metrics")).find("replicant_rows_total") != std::string::npos);
  CHECK(read_file(replicant.path("readyz")).find("200 OK") != std::string::npos);

  server.exec("INSERT INTO kept VALUES ('key', '" + canary + "')");
  CHECK(replicant.wait() == ending{.exit_code = 1});
  CHECK(replicant.says("command_failed"));
  CHECK(replicant.says("22023"));
  CHECK(leaks(replicant).empty());

  // The server did say it, to the program and to others, and it would have been found.
  CHECK(server.log().find("unrecognized encoding: \"" + canary) != std::string::npos);
  std::ofstream{replicant.path("leak")} << told_to_others(server);
  CHECK(leaks(replicant) == std::vector<std::string>{"leak"});
}

TEST_CASE("no password and no rejected name reaches log or status", "[crash][canary]") {
  const secretive_server server;
  const auto at = "@127.0.0.1:" + std::to_string(server.port()) + "/";
  const auto uri = [&](const std::string& user, const std::string& database) {
    return "postgresql://" + user + ":${SHOP_PASSWORD}" + at + database;
  };
  SECTION("the right password works in a URI") {
    program replicant{telling_all(uri("cdc", "postgres"), "json")};
    replicant.start({with_password});
    REQUIRE(wait_until([&] { return replicant.is("streaming"); }));
    CHECK(leaks(replicant).empty());
    CHECK(replicant.stop() == ending{.exit_code = 0});
  }
  SECTION("a wrong password") {
    program replicant{telling_all(uri("cdc", "postgres"), "text")};
    replicant.start({with_password + "x"});
    CHECK(replicant.wait() == ending{.exit_code = 1});
    CHECK(replicant.says("password_wrong"));
    CHECK(leaks(replicant).empty());
  }
  SECTION("a user that does not exist") {
    program replicant{telling_all(uri("${WHO}", "postgres"), "text")};
    replicant.start({with_password, "WHO=" + canary});
    CHECK(replicant.wait() == ending{.exit_code = 1});
    CHECK(replicant.says("password_wrong"));
    CHECK(leaks(replicant).empty());
  }
  SECTION("a database that does not exist") {
    program replicant{telling_all(uri("cdc", "${SHOP}"), "text")};
    replicant.start({with_password, "SHOP=" + canary});
    CHECK(replicant.wait() == ending{.exit_code = 1});
    CHECK(replicant.says("database_missing"));
    CHECK(leaks(replicant).empty());
  }
}
