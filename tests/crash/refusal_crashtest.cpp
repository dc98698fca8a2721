// SPDX-License-Identifier: MIT
#include "replicant/tests/crash/scene.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>

using namespace replicant::test;
using namespace std::chrono_literals;

namespace {

/// A server and a program that has streamed something and was stopped.
struct past_run : scene {
  explicit past_run(program_options how = {}, std::vector<std::string> conf = {})
    : scene{std::move(how), std::move(conf)} {
    run();
    server.exec("INSERT INTO events VALUES (1, 'first')");
    drain();
    REQUIRE(replicant.stop() == ending{.exit_code = 0});
  }
};

/// All that the server says of its slots, but for who is there and how much room is left.
std::string slots(const pg_cluster& server) {
  return server.client().value("SELECT string_agg((to_jsonb(s) - '{active,active_pid,safe_wal_size,"
                               "wal_status}'::text[])::text, ' ' ORDER BY slot_name) FROM "
                               "pg_replication_slots s");
}

/// The next start has to name this reason and leave everything as it is.
void expect_refusal(const pg_cluster& server, program& replicant, const std::string& reason,
                    std::chrono::seconds patience = 30s) {
  const auto content = replicant.content();
  const auto before = slots(server);
  replicant.start();
  const auto end = replicant.wait(patience);
  INFO(replicant.output());
  CHECK(end == ending{.exit_code = 1});
  CHECK(replicant.says("HALTED: " + reason));
  CHECK(replicant.status()["reason"] == reason);
  CHECK(replicant.content() == content);
  CHECK(slots(server) == before);
}

void make_slot(const pg_cluster& server, const std::string& database, const std::string& plugin) {
  server.client(database).exec("SELECT pg_create_logical_replication_slot('shop', '" + plugin +
                               "')");
}

} // namespace

TEST_CASE("without a slot and without permission nothing begins", "[crash][refusal]") {
  const shop_server server;
  program replicant{{.conninfo = server.conninfo(), .go_forward_only = false}};
  expect_refusal(server, replicant, "go_forward_required");
}

TEST_CASE("a slot of unknown past is not taken over", "[crash][refusal]") {
  const shop_server server;
  server.exec("CREATE DATABASE other");
  program replicant{{.conninfo = server.conninfo()}};
  SECTION("ours by name, but the file is new") {
    make_slot(server, "postgres", "pgoutput");
    expect_refusal(server, replicant, "checkpoint_missing");
  }
  SECTION("of another plugin") {
    make_slot(server, "postgres", "test_decoding");
    expect_refusal(server, replicant, "slot_wrong_plugin");
  }
  SECTION("of another database") {
    make_slot(server, "other", "pgoutput");
    expect_refusal(server, replicant, "slot_wrong_database");
  }
  SECTION("a physical one") {
    server.exec("SELECT pg_create_physical_replication_slot('shop')");
    expect_refusal(server, replicant, "slot_not_logical");
  }
}

TEST_CASE("a publication that does not exist is refused", "[crash][refusal]") {
  const shop_server server;
  program replicant{{.conninfo = server.conninfo(), .publication = "shops"}};
  expect_refusal(server, replicant, "publication_missing");
}

TEST_CASE("a slot that was dropped behind our back is a gap", "[crash][refusal]") {
  past_run where;
  where.server.exec("SELECT pg_drop_replication_slot('shop')");
  expect_refusal(where.server, where.replicant, "data_gap");
  // Made again, it begins behind what we have.
  where.server.exec("INSERT INTO events VALUES (2, 'in the gap')");
  SECTION("by a person") {
    make_slot(where.server, "postgres", "pgoutput");
  }
  SECTION("by another replicant, which has read on") {
    program other{{.conninfo = where.server.conninfo()}};
    other.start();
    REQUIRE(wait_until([&] { return other.says("streaming from"); }));
    where.server.exec("INSERT INTO events VALUES (3, 'read by the other')");
    where.drain();
    REQUIRE(other.stop() == ending{.exit_code = 0});
  }
  expect_refusal(where.server, where.replicant, "slot_advanced");
}

TEST_CASE("a slot that sends what is only prepared is refused", "[crash][refusal]") {
  const shop_server server;
  server.exec("SELECT pg_create_logical_replication_slot('shop', 'pgoutput', false, true)");
  program replicant{{.conninfo = server.conninfo()}};
  expect_refusal(server, replicant, "slot_two_phase");
}

TEST_CASE("a publication that was dropped behind our back is refused", "[crash][refusal]") {
  past_run where;
  where.server.exec("DROP PUBLICATION shop");
  expect_refusal(where.server, where.replicant, "publication_missing");
}

TEST_CASE("an older copy in the place of the server is refused", "[crash][refusal]") {
  past_run where;
  const auto data = where.server.data_folder();
  const auto copy = data + ".older";
  where.server.stop();
  run({"cp", "-a", data, copy});
  where.server.start();
  where.run();
  where.server.exec("INSERT INTO events VALUES (2, 'not in the copy')");
  where.drain();
  REQUIRE(where.replicant.stop() == ending{.exit_code = 0});
  where.server.stop();
  std::filesystem::remove_all(data);
  std::filesystem::rename(copy, data);
  where.server.start();
  expect_refusal(where.server, where.replicant, "server_behind");
}

TEST_CASE("a slot that was moved behind our back is refused", "[crash][refusal]") {
  past_run where;
  where.server.exec("INSERT INTO events VALUES (2, 'skipped')");
  where.server.exec("SELECT pg_replication_slot_advance('shop', pg_current_wal_lsn())");
  expect_refusal(where.server, where.replicant, "slot_advanced");
}

TEST_CASE("a file that is gone is refused while its slot lives", "[crash][refusal]") {
  past_run where;
  std::filesystem::remove(where.replicant.file());
  expect_refusal(where.server, where.replicant, "checkpoint_missing");
}

TEST_CASE("a file of another server or database is refused", "[crash][refusal]") {
  past_run where;
  auto content = where.replicant.content();
  const std::string identity =
    where.server.client().value("SELECT system_identifier FROM pg_control_system()");
  SECTION("another server") {
    content.replace(content.find(identity), identity.size(), std::string(identity.size(), '7'));
  }
  SECTION("another database") {
    content.replace(content.find(R"("database":"postgres")"), 21, R"("database":"postgrey")");
  }
  std::ofstream{where.replicant.file(), std::ios::binary} << content << std::flush;
  expect_refusal(where.server, where.replicant, "session_identity_rejected");
}

TEST_CASE("a server that is not the configured one is refused", "[crash][refusal]") {
  const shop_server server;
  // A table of its own, so it stands behind everything else.
  program replicant{{.conninfo = server.conninfo(),
                     .rest = {"[pipeline.source_identity]", "system_identifier = \"7\""}}};
  expect_refusal(server, replicant, "session_identity_rejected");
  CHECK(replicant.says("session_identity_rejected differs=system_identifier"));
}

TEST_CASE("a slot that lost its WAL is refused", "[crash][refusal]") {
  past_run where{{}, {"max_slot_wal_keep_size = '1MB'", "min_wal_size = '32MB'"}};
  for (int segment = 0; segment < 8; ++segment)
    where.server.exec("INSERT INTO audit (what) VALUES ('x'); SELECT pg_switch_wal()");
  where.server.exec("CHECKPOINT");
  REQUIRE(slot(where.server, "wal_status") == "lost");
  expect_refusal(where.server, where.replicant, "slot_lost");
}

TEST_CASE("a slot that was idle for longer than the server allows is refused", "[crash][refusal]") {
  past_run where;
  if (where.server.major() < 18) {
    WARN("SKIPPED: idle slots are given up from PostgreSQL 18 on");
    return;
  }
  where.server.configure("idle_replication_slot_timeout = '1s'");
  where.server.reload();
  REQUIRE(wait_until([&] {
    where.server.exec("CHECKPOINT");
    return slot(where.server, "invalidation_reason") == "idle_timeout";
  }));
  expect_refusal(where.server, where.replicant, "slot_invalidated");
  CHECK(where.replicant.says("HALTED: slot_invalidated invalidation=idle_timeout"));
}

TEST_CASE("a slot that another session holds is waited for, then refused", "[crash][refusal]") {
  past_run where{{}, {"wal_sender_timeout = '2s'"}};
  sql_client holder{where.server.conninfo(
    "user=postgres dbname=postgres replication=database options='-c wal_sender_timeout=0'")};
  holder.start("START_REPLICATION SLOT shop LOGICAL 0/0 (proto_version '1', publication_names "
               "'shop')");
  REQUIRE(wait_until([&] { return !slot(where.server, "active_pid").empty(); }));
  const auto begin = std::chrono::steady_clock::now();
  expect_refusal(where.server, where.replicant, "slot_active", 60s);
  CHECK(std::chrono::steady_clock::now() - begin > 4s);
}
