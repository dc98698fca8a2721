// SPDX-License-Identifier: MIT
#include "replicant/tests/support/child_process.hpp"
#include "replicant/tests/support/pg_cluster.hpp"
#include "replicant/tests/support/temp_dir.hpp"
#include "replicant/tests/support/test_files.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <catch2/catch.hpp>
#include <sys/wait.h>

#include <atomic>
#include <csignal>
#include <iostream>
#include <random>
#include <thread>

using namespace replicant::test;
using namespace std::chrono_literals;

namespace {

using rows = std::vector<sql_client::row>;

/// The source keeps a ledger of its own: what a trigger saw, in the transaction that did it.
constexpr const char* source_tables = R"(
  CREATE TABLE orders (id bigint PRIMARY KEY, amount numeric(12,2));
  CREATE TABLE ledger (seq bigserial, operation text, id bigint, amount numeric);
  CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO ledger (operation, id, amount) VALUES (lower(TG_OP),
        CASE TG_OP WHEN 'DELETE' THEN OLD.id ELSE NEW.id END,
        CASE TG_OP WHEN 'DELETE' THEN NULL ELSE NEW.amount END);
      RETURN NULL;
    END $$;
  CREATE TRIGGER note AFTER INSERT OR UPDATE OR DELETE ON orders
    FOR EACH ROW EXECUTE FUNCTION note();
  CREATE PUBLICATION orders FOR TABLE orders)";

/// Keeps commits of the sink under way for a while, one in ten for longer than a new life of the
/// program takes to ask where it stands.
constexpr const char* slow_commit = R"(
  CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_sleep(CASE WHEN random() < 0.1 THEN 1 ELSE 0.01 END);
      RETURN NULL;
    END $$;
  CREATE CONSTRAINT TRIGGER linger AFTER UPDATE ON order_log_position
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION linger())";

/// What happened to each order, in its order.
constexpr const char* history_of =
  "SELECT id, operation, amount::numeric(12,2)::text FROM %s ORDER BY id, seq";

std::string history(std::string table) {
  std::string sql{history_of};
  return sql.replace(sql.find("%s"), 2, table);
}

/// A server with both databases, and the example between them.
class scene {
public:
  scene() {
    server.exec("CREATE DATABASE shop");
    server.exec("CREATE DATABASE archive");
    server.client("shop").exec(source_tables);
    server.client("archive").exec(read_file(REPLICANT_EXAMPLE_SQL));
  }

  void start() {
    process_ = std::make_unique<child_process>(
      std::vector<std::string>{
        "/usr/bin/env", "ORDERS_SOURCE=" + server.conninfo("user=postgres dbname=shop"),
        "ORDERS_TARGET=" + server.conninfo("user=postgres dbname=archive"), REPLICANT_EXAMPLE},
      log());
  }

  void kill() {
    process_->signal(SIGKILL);
    REQUIRE(process_->wait(10s));
  }

  /// @returns its exit code, or -1.
  int stop() {
    process_->signal(SIGTERM);
    return wait();
  }

  int wait() {
    const auto status = process_->wait(30s);
    return status && WIFEXITED(*status) ? WEXITSTATUS(*status) : -1;
  }

  [[nodiscard]] bool running() { return process_->running(); }

  [[nodiscard]] std::string output() const { return read_file(log()); }

  [[nodiscard]] std::uint64_t logged() const {
    return std::stoull(server.client("archive").value("SELECT count(*) FROM order_log"));
  }

  /// Whether a commit of the sink has been under way for a while.
  [[nodiscard]] bool commits() const {
    return server.client().holds("SELECT count(*) > 0 FROM pg_stat_activity WHERE datname = "
                                 "'archive' AND state = 'active' AND query = 'COMMIT' AND "
                                 "clock_timestamp() - query_start > '100 ms'");
  }

  [[nodiscard]] bool reaches_the_end() const {
    const auto end = server.client().value("SELECT pg_current_wal_lsn()");
    return wait_until(
      [&] {
        return server.client().holds("SELECT confirmed_flush_lsn >= '" + end +
                                     "' FROM pg_replication_slots WHERE slot_name = 'order_log'");
      },
      60s);
  }

  pg_cluster server;

private:
  [[nodiscard]] std::string log() const { return folder_ / "output"; }

  temp_dir folder_;
  std::unique_ptr<child_process> process_;
};

/// Inserts, updates and deletes, several to a transaction; some are rolled back.
void write_orders(const pg_cluster& server, int who, const std::stop_token& ending) {
  auto session = server.client("shop");
  std::mt19937 chance{static_cast<std::uint32_t>(who)};
  const auto mine = " WHERE id % 10 = " + std::to_string(who) + " AND id > ";
  for (int turn = 1; !ending.stop_requested(); ++turn) {
    const auto id = std::to_string(turn * 10 + who);
    const auto older = std::to_string((turn - 5) * 10);
    std::string work = "BEGIN; INSERT INTO orders VALUES (" + id + ", " + id + ".25);";
    if (chance() % 2 == 0)
      work += "UPDATE orders SET amount = amount + 1" + mine + older + ";";
    if (chance() % 4 == 0)
      work += "DELETE FROM orders" + mine + older + " AND amount::int % 2 = 0;";
    session.exec(work + (chance() % 5 == 0 ? "ROLLBACK" : "COMMIT"));
    std::this_thread::sleep_for(std::chrono::milliseconds{5 + chance() % 20});
  }
}

class writers {
public:
  explicit writers(const pg_cluster& server) {
    for (const int who : {1, 2})
      threads_.emplace_back(
        [&server, who](const std::stop_token& ending) { write_orders(server, who, ending); });
  }

private:
  std::vector<std::jthread> threads_;
};

} // namespace

TEST_CASE("the example of a host has every effect once, whatever is killed when",
          "[package][crash]") {
  scene one;
  one.server.client("archive").exec(slow_commit);
  one.start();
  // What is written before there is a slot is not for this log.
  REQUIRE(wait_until([&] {
    return one.server.client().holds("SELECT count(confirmed_flush_lsn) = 1 FROM "
                                     "pg_replication_slots WHERE slot_name = 'order_log'");
  }));
  auto load = std::make_optional<writers>(one.server);
  const auto seed = std::random_device{}();
  INFO("seed " << seed);
  std::mt19937 chance{seed};
  auto inside = 0;   // Kills while a commit of the sink was under way.
  auto anywhere = 0; // Others that interrupted a program which had logged something new.
  std::uint64_t before = 0;
  for (auto turn = 0; inside < 4 || anywhere < 4; ++turn) {
    REQUIRE(turn < 60);
    const auto reached = [&] { return one.logged() > before; };
    REQUIRE(wait_until([&] { return reached() || !one.running(); }));
    INFO(one.output());
    REQUIRE(one.running());
    const auto wants_inside = turn % 2 == 0;
    if (wants_inside)
      REQUIRE(wait_until([&] { return one.commits(); }));
    else
      std::this_thread::sleep_for(std::chrono::milliseconds{chance() % 200});
    one.kill();
    // The server goes on with a commit that it was sent: still there after the kill, it was real.
    (wants_inside && one.commits() ? inside : anywhere) += 1;
    before = one.logged();
    one.start();
  }
  std::cout << inside << " kills inside of a commit, " << anywhere << " others\n";
  load.reset();
  one.server.client("archive").exec("DROP TRIGGER linger ON order_log_position");
  INFO(one.output());
  REQUIRE(one.reaches_the_end());
  CHECK(one.stop() == 0);
  CHECK_THAT(one.output(), !Catch::Contains("HALTED"));

  const auto done = one.server.client("shop").exec(history("ledger"));
  const auto logged = one.server.client("archive").exec(history("order_log"));
  CHECK(done.size() > 100);
  CHECK(logged.size() == done.size());
  CHECK(logged == done);
}

TEST_CASE("the example of a host says what is wrong and leaves", "[package][postgres]") {
  scene one;
  SECTION("when its position has gone from under its slot") {
    one.start();
    REQUIRE(wait_until([&] {
      return one.server.client("archive").holds(
        "SELECT count(position) = 1 FROM order_log_position");
    }));
    REQUIRE(one.stop() == 0);
    one.server.client("archive").exec("DELETE FROM order_log_position");
    one.start();
    CHECK(one.wait() == 1);
    CHECK_THAT(one.output(), Catch::Contains("checkpoint_missing"));
  }
  SECTION("when its table takes a row no more, without the row") {
    one.server.client("archive").exec("ALTER TABLE order_log ADD CHECK (amount <> 4711.13)");
    one.start();
    REQUIRE(wait_until([&] {
      return one.server.client("archive").holds(
        "SELECT count(position) = 1 FROM order_log_position");
    }));
    one.server.client("shop").exec("INSERT INTO orders VALUES (1, 1), (2, 4711.13)");
    CHECK(one.wait() == 1);
    CHECK_THAT(one.output(), Catch::Contains("sink_failed") && Catch::Contains("23514"));
    CHECK_THAT(one.output(), !Catch::Contains("4711"));
    CHECK(one.logged() == 0);
    one.server.client("archive").exec("ALTER TABLE order_log DROP CONSTRAINT "
                                      "order_log_amount_check");
    one.start();
    CHECK(wait_until([&] { return one.logged() == 2; }));
    CHECK(one.stop() == 0);
  }
}
