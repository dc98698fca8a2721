// SPDX-License-Identifier: MIT
#include "replicant/tests/support/http_client.hpp"
#include "replicant/tests/support/metric_samples.hpp"
#include "replicant/tests/support/pg_cluster.hpp"
#include "replicant/tests/support/program.hpp"
#include "replicant/tests/support/tcp_proxy.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace replicant::test;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;

namespace {

/// A pipeline beside the program's own, whose sink keeps nothing; its store is reached by `port`.
std::vector<std::string> stored(const pg_cluster& server, int port) {
  return {"[[pipeline]]",
          "name = \"stored\"",
          "slot_name = \"stored\"",
          "publication = \"shop\"",
          "go_forward_only = true",
          "connection = { conninfo = \"" + server.conninfo() + "\" }",
          "checkpoint_store = { conninfo = \"host=127.0.0.1 port=" + std::to_string(port) +
            " user=postgres dbname=postgres\", max_retries = 1000, retry_backoff_ms = 50 }",
          "sink = { kind = \"null\" }"};
}

} // namespace

TEST_CASE("a store that fails is told of while it is tried again, and no longer than that",
          "[postgres]") {
  const pg_cluster server;
  server.exec("CREATE TABLE t (id bigserial PRIMARY KEY); CREATE PUBLICATION shop FOR TABLE t");
  tcp_proxy network{server.port()};
  const auto port = free_port();
  program replicant{{.conninfo = server.conninfo(),
                     .runtime = {"metrics = \"127.0.0.1:" + std::to_string(port) + "\""},
                     .rest = stored(server, network.port())}};
  INFO(replicant.output());
  replicant.start();
  const auto metric = [&](const std::string& name) {
    return samples_of(http_get(port, "/metrics").body).at(name + "{pipeline=\"stored\"}");
  };
  const auto insert = [&] { server.exec("INSERT INTO t DEFAULT VALUES"); };
  REQUIRE(wait_until([&] { return http_get(port, "/readyz").status == 200; }));
  insert();
  REQUIRE(wait_until([&] { return metric("replicant_transactions_total") == 1; }));

  network.refuse(true);
  network.cut();
  insert();
  insert();
  REQUIRE(wait_until([&] { return metric("replicant_store_retries") >= 2; }));
  CHECK(metric("replicant_transactions_total") == 1);
  CHECK(metric("replicant_disconnects_total") == 0);
  CHECK(http_get(port, "/readyz").status == 200);
  CHECK_THAT(replicant.status_text(),
             Contains("streaming (store fails)") && Contains("checkpoint_store_failed"));

  network.refuse(false);
  REQUIRE(wait_until([&] { return metric("replicant_transactions_total") == 3; }));
  CHECK(metric("replicant_store_retries") == 0);
  CHECK(metric("replicant_store_failures_total") >= 2);
  CHECK_THAT(replicant.status_text(), !Contains("store fails"));
  auto session = server.client();
  CHECK(session.holds("SELECT count(*) = 1 FROM replicant_checkpoints WHERE slot_name = 'stored'"));
  CHECK(replicant.stop() == ending{.exit_code = 0});
}
