// SPDX-License-Identifier: MIT
#include "replicant/tests/integration/shop_rows.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace replicant::test;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;

namespace {

program_options with_budget(const std::string& conninfo, int budget) {
  return {.conninfo = conninfo, .pipeline = {"max_command_retries = " + std::to_string(budget)}};
}

/// Has the server give up what the program asks of it (57014): to the program a refused command.
class canceller {
public:
  explicit canceller(const pg_cluster& server) : session_{server.client()} {}

  /// Cancels what whoever holds the slot is doing, once for each session. @returns false when the
  /// program has ended.
  bool cancel_next(program& replicant) {
    const auto held = wait_until(
      [&] {
        const auto pid = session_.value("SELECT active_pid FROM pg_replication_slots");
        if (pid.empty() || pid == last_)
          return !replicant.running();
        last_ = pid;
        return true;
      },
      60s);
    return held && replicant.running() && session_.holds("SELECT pg_cancel_backend(" + last_ + ")");
  }

private:
  sql_client session_;
  std::string last_;
};

/// How often the program has told of a command that was cancelled.
std::size_t refusals_told(const program& replicant) {
  std::size_t count = 0;
  const auto text = replicant.output();
  for (auto at = text.find("sqlstate=57014"); at != std::string::npos;
       at = text.find("sqlstate=57014", at + 1))
    ++count;
  return count;
}

} // namespace

TEST_CASE("a command that is refused again and again halts at one attempt more than its budget",
          "[watchdog][postgres]") {
  const auto budget = GENERATE(0, 2);
  const pg_cluster server;
  make_table(server);
  // A slot cannot be made before this is over.
  auto open = server.client();
  open.exec("BEGIN; INSERT INTO t DEFAULT VALUES");
  program replicant{with_budget(server.conninfo(), budget)};
  replicant.start();
  canceller watchdog{server};
  for (int attempt = 0; attempt <= budget; ++attempt)
    REQUIRE(watchdog.cancel_next(replicant));
  CHECK(replicant.wait(60s) == ending{.exit_code = 1});
  CHECK_THAT(replicant.output(), Contains("HALTED: command_failed sqlstate=57014"));
  CHECK(refusals_told(replicant) == static_cast<std::size_t>(budget) + 1);
  CHECK(server.client().value("SELECT count(*) FROM pg_replication_slots") == "0");
  CHECK(rows_of(replicant.content()).empty());
}

TEST_CASE("a server that is down is no refused command, even without a budget",
          "[watchdog][postgres]") {
  pg_cluster server;
  make_table(server);
  server.stop();
  program replicant{with_budget(server.conninfo(), 0)};
  replicant.start();
  REQUIRE(wait_until([&] {
    const auto told = replicant.status();
    return told.is_object() && told["reconnects"] >= 3;
  }));
  CHECK(replicant.is("waiting"));
  server.start();
  REQUIRE(streams(replicant));
  server.restart(stop_mode::immediate);
  write_rows(server, 1);
  CHECK(holds(replicant, 1));
  CHECK(replicant.stop() == ending{.exit_code = 0});
}

TEST_CASE("what became durable in between forgives refused commands", "[watchdog][postgres]") {
  const pg_cluster server;
  make_table(server);
  program replicant{with_budget(server.conninfo(), 1)};
  replicant.start();
  REQUIRE(streams(replicant));
  canceller watchdog{server};
  for (std::size_t round = 1; round <= 4; ++round) {
    write_rows(server, 1);
    REQUIRE(holds(replicant, round));
    REQUIRE(watchdog.cancel_next(replicant));
  }
  write_rows(server, 1);
  CHECK(holds(replicant, 5));
  CHECK(refusals_told(replicant) == 4);
  // Without progress it is not long.
  for (int attempt = 0; attempt < 10 && watchdog.cancel_next(replicant); ++attempt) {
  }
  CHECK(replicant.wait(60s) == ending{.exit_code = 1});
  CHECK_THAT(replicant.output(), Contains("HALTED: command_failed sqlstate=57014"));
  CHECK(rows_of(replicant.content()) == rows_of(server));
}
