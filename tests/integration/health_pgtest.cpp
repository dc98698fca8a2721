// SPDX-License-Identifier: MIT
#include "replicant/tests/support/http_client.hpp"
#include "replicant/tests/support/metric_samples.hpp"
#include "replicant/tests/support/pg_cluster.hpp"
#include "replicant/tests/support/program.hpp"
#include "replicant/tests/support/tcp_proxy.hpp"
#include "replicant/tests/support/test_files.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>

using namespace replicant::test;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

constexpr auto who = " user=postgres dbname=postgres";

/// A second pipeline, so that the program goes on when the first has halted.
std::vector<std::string> beside(const pg_cluster& server) {
  return {"[[pipeline]]",
          "name = \"other\"",
          "slot_name = \"other\"",
          "publication = \"shop\"",
          "go_forward_only = true",
          "connection = { conninfo = \"" + server.conninfo() + "\" }",
          "sink = { kind = \"null\" }"};
}

/// A program that tells its metrics, and blocks before it writes while its gate is there.
struct watched_program {
  explicit watched_program(const pg_cluster& server, const std::string& conninfo)
    : replicant{{.conninfo = conninfo,
                 .runtime = {"metrics = \"127.0.0.1:" + std::to_string(port) + "\""},
                 .pipeline = {"max_inflight_lag = \"256KiB\""},
                 .rest = beside(server)}},
      gate{replicant.path("gate")} {
    replicant.start_failing("before_write=block:" + gate);
  }

  [[nodiscard]] std::map<std::string, double> metrics() const {
    const auto told = http_get(port, "/metrics");
    CHECK(told.status == 200);
    return samples_of(told.body);
  }

  [[nodiscard]] double metric(const std::string& name) const { return metrics().at(of_shop(name)); }

  [[nodiscard]] bool is(const std::string& state) const {
    return metrics().at(of_shop("replicant_state", "state", state)) == 1;
  }

  [[nodiscard]] http_answer ready() const { return http_get(port, "/readyz"); }

  [[nodiscard]] bool comes_to(const std::string& state) const {
    return wait_until([&] { return replicant.is(state); }, 40s) && is(state);
  }

  int port = free_port();
  program replicant;
  std::string gate;
};

void make_table(const pg_cluster& server) {
  server.exec("CREATE TABLE t (id bigserial PRIMARY KEY, note text); "
              "CREATE PUBLICATION shop FOR TABLE t");
}

void write(const pg_cluster& server, int count) {
  auto session = server.client();
  for (int i = 0; i < count; ++i)
    session.exec("INSERT INTO t (note) VALUES (repeat('x', 10000))");
}

/// Writes WAL that is not published until the slot "shop" holds so many MiB of it back.
void write_until_retained(const pg_cluster& server, int mib) {
  auto session = server.client();
  while (!session.holds("SELECT pg_current_wal_lsn() - restart_lsn > " + std::to_string(mib) +
                        " * 1048576 FROM pg_replication_slots WHERE slot_name = 'shop'"))
    session.exec("SELECT pg_logical_emit_message(false, 'w', repeat('x', 1048576))");
}

/// What both tell at once has to be the same.
void agree(const watched_program& one) {
  const auto status = one.replicant.status();
  const auto metrics = one.metrics();
  REQUIRE(status.is_object());
  const auto same = [&](const std::string& field, const std::string& metric) {
    INFO(field);
    CHECK(status.at(field).get<double>() == metrics.at(of_shop(metric)));
  };
  same("transactions", "replicant_transactions_total");
  same("changes", "replicant_rows_total");
  same("bytes", "replicant_bytes_total");
  same("in_flight_bytes", "replicant_in_flight_bytes");
  same("open_transactions", "replicant_open_transactions");
  same("open_bytes", "replicant_open_bytes");
  same("spilled_bytes", "replicant_spilled_bytes");
  same("streamed", "replicant_streamed_transactions_total");
  same("rolled_back", "replicant_rolled_back_transactions_total");
  same("spills", "replicant_spills_total");
  same("spill_written_bytes", "replicant_spill_written_bytes_total");
  CHECK(status.at("paced").get<bool>() == (metrics.at(of_shop("replicant_paced")) == 1));
  CHECK(metrics.at(of_shop("replicant_state", "state", status.at("state"))) == 1);
}

void see_it_idle(const watched_program& one, int transactions) {
  REQUIRE(wait_until([&] {
    const auto now = one.metrics();
    return now.at(of_shop("replicant_transactions_total")) == transactions &&
           now.at(of_shop("replicant_in_flight_bytes")) == 0;
  }));
  agree(one);
  const auto now = one.metrics();
  CHECK(now.at(of_shop("replicant_paced")) == 0);
  CHECK(now.at(of_shop("replicant_lag_seconds")) == 0);
  CHECK(now.at(of_shop("replicant_assembled_transactions_total")) >= transactions);
  CHECK(one.ready().status == 200);
}

void see_it_paced(const watched_program& one, const pg_cluster& server) {
  write_file(one.gate, "");
  write(server, 100);
  REQUIRE(wait_until([&] { return one.metric("replicant_paced") == 1; }));
  REQUIRE(wait_until([&] { return one.replicant.status().at("paced") == true; }));
  agree(one);
  CHECK(one.is("streaming"));
  CHECK(one.metric("replicant_in_flight_bytes") >= 256 * 1024);
  const auto lag = one.metric("replicant_lag_seconds");
  CHECK(lag > 0);
  CHECK(wait_until([&] { return one.metric("replicant_lag_seconds") > lag; }));
  CHECK(one.metric("replicant_lag_bytes") > 0);
  CHECK(one.ready().status == 200);
  std::filesystem::remove(one.gate);
}

void see_it_reconnecting(const watched_program& one, tcp_proxy& network) {
  network.refuse(true);
  network.cut();
  REQUIRE(one.comes_to("waiting"));
  const auto now = one.metrics();
  CHECK_FALSE(now.contains(of_shop("replicant_lag_seconds")));
  CHECK_FALSE(now.contains(of_shop("replicant_slot_retained_bytes")));
  CHECK(one.replicant.status().at("slot").is_null());
  const auto reason = one.replicant.status().at("reason").get<std::string>();
  CHECK(wait_until(
    [&] { return one.metrics().at(of_shop("replicant_retries_total", "reason", reason)) >= 1; }));
  CHECK(one.metric("replicant_disconnects_total") >= 1);
  REQUIRE(wait_until([&] { return one.ready().body.starts_with("shop: waiting "); }));
  CHECK(one.ready().status == 503);
  CHECK(http_get(one.port, "/livez").status == 200);
}

void see_it_halted(const watched_program& one, const pg_cluster& server, tcp_proxy& network) {
  auto session = server.client();
  REQUIRE(wait_until([&] {
    return session.holds("SELECT NOT active FROM pg_replication_slots WHERE slot_name = 'shop'");
  }));
  session.exec("SELECT pg_drop_replication_slot('shop')");
  network.refuse(false);
  REQUIRE(one.comes_to("halted"));
  CHECK(one.replicant.status().at("reason") == "data_gap");
  CHECK(one.metrics().at(of_shop("replicant_halted", "reason", "data_gap")) == 1);
  CHECK(one.ready().status == 503);
  CHECK(one.ready().body == "shop: halted data_gap\n");
  CHECK(http_get(one.port, "/livez").status == 200);
  CHECK(http_get(one.port, "/").status == 404);
}

} // namespace

TEST_CASE("status, metrics and readiness tell the same truth in every state", "[postgres]") {
  const pg_cluster server;
  make_table(server);
  tcp_proxy network{server.port()};
  watched_program one{server, "host=127.0.0.1 port=" + std::to_string(network.port()) + who};
  INFO(one.replicant.output());
  REQUIRE(wait_until([&] { return one.ready().status == 200; }));
  write(server, 3);
  see_it_idle(one, 3);
  see_it_paced(one, server);
  see_it_idle(one, 103);
  see_it_reconnecting(one, network);
  network.refuse(false);
  REQUIRE(wait_until([&] { return one.ready().status == 200; }, 60s));
  CHECK(one.is("streaming"));
  see_it_idle(one, 103);
  see_it_reconnecting(one, network);
  see_it_halted(one, server, network);
  CHECK(one.replicant.stop() == ending{.exit_code = 1});
  CHECK(http_get(one.port, "/livez").status == 0);
}

TEST_CASE("a slot is warned of before the server gives it up", "[postgres]") {
  const pg_cluster server{{.conf = {"max_slot_wal_keep_size = '64MB'"}}};
  make_table(server);
  watched_program one{server, server.conninfo()};
  REQUIRE(one.comes_to("streaming"));
  write_file(one.gate, "");
  const auto warnings = [&] { return one.metric("replicant_slot_warnings_total"); };
  write(server, 1);
  write_until_retained(server, 48);
  REQUIRE(wait_until([&] { return warnings() == 1; }));
  const auto now = one.metrics();
  CHECK(now.at(of_shop("replicant_slot_limit_bytes")) == 64.0 * 1024 * 1024);
  CHECK(now.at(of_shop("replicant_slot_retained_bytes")) >= 0.7 * 64 * 1024 * 1024);
  CHECK(now.at(of_shop("replicant_slot_safe_wal_size_bytes")) > 0);
  CHECK(one.replicant.says("shop: the slot holds back "));
  CHECK_THAT(one.replicant.status_text(),
             Contains("\nshop: the slot holds back ") &&
               Contains("`ALTER SYSTEM SET max_slot_wal_keep_size = '<size>'; SELECT"));
  write_until_retained(server, 58);
  REQUIRE(wait_until([&] { return warnings() == 2; }));
  CHECK(one.replicant.is("streaming"));
  // The sink returns, and the server lets go of what it kept.
  std::filesystem::remove(one.gate);
  REQUIRE(wait_until([&] {
    server.exec("CHECKPOINT");
    write(server, 1);
    return one.metric("replicant_slot_retained_bytes") < 0.7 * 64 * 1024 * 1024;
  }));
  CHECK_THAT(one.replicant.status_text(), !Contains("holds back"));
  CHECK(warnings() == 2);
  CHECK(one.replicant.stop() == ending{.exit_code = 0});
}

TEST_CASE("an address that is taken keeps the program from starting, in one line", "[postgres]") {
  const pg_cluster server;
  make_table(server);
  watched_program first{server, server.conninfo()};
  REQUIRE(wait_until([&] { return first.ready().status != 0; }));
  program second{{.conninfo = server.conninfo(),
                  .runtime = {"metrics = \"127.0.0.1:" + std::to_string(first.port) + "\""}}};
  second.start();
  CHECK(second.wait() == ending{.exit_code = 3});
  CHECK_THAT(second.output(), Contains("replicant: metrics cannot be told at 127.0.0.1:" +
                                       std::to_string(first.port) + ": Address already in use; "));
  CHECK(first.ready().status != 0);
}

TEST_CASE("without an address nobody listens", "[postgres]") {
  const pg_cluster server;
  make_table(server);
  program replicant{{.conninfo = server.conninfo()}};
  replicant.start();
  REQUIRE(wait_until([&] { return replicant.is("streaming"); }));
  const auto sockets = read_file("/proc/" + std::to_string(replicant.id()) + "/net/tcp");
  REQUIRE_FALSE(sockets.empty());
  for (const auto& entry :
       std::filesystem::directory_iterator{"/proc/" + std::to_string(replicant.id()) + "/fd"}) {
    const auto target = std::filesystem::read_symlink(entry).string();
    if (!target.starts_with("socket:["))
      continue;
    // State 0A is LISTEN.
    const auto inode = target.substr(8, target.size() - 9);
    const auto at = sockets.find(" " + inode + " ");
    const auto line =
      at == std::string::npos ? std::string{} : sockets.substr(sockets.rfind('\n', at) + 1, 40);
    CHECK(line.find(" 0A ") == std::string::npos);
  }
}
