// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/tests/crash/kills.hpp"
#include "replicant/tests/support/ledger_database.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace replicant::test {

struct ledger_options {
  std::string publication = "shop";
  std::vector<std::string> pipeline{"messages = true"};
  std::string position = "with_rows"; ///< As `ledger_position`.
  /// A store in the ledger's database keeps the position; more keys of it, each behind a comma.
  std::optional<std::string> store{};
  std::vector<std::string> conf{}; ///< More settings of the source's server.
};

/// A host's program that writes into a ledger, which is on a server of its own.
class ledger_scene {
public:
  explicit ledger_scene(const ledger_options& how)
    : target{storage_},
      where{{.host = REPLICANT_LEDGER_HOST,
             .variables = {"LEDGER_TARGET=" + target.conninfo(), "LEDGER_POSITION=" + how.position},
             .publication = how.publication,
             .pipeline = with_store(how)},
            with_short_timeout(how.conf)} {
    where.right.messages = true;
  }

  [[nodiscard]] kill_ledger watch() const {
    return {where.server, [this] { return target.last_commit(); }};
  }

  /// Waits until something new has been applied.
  void wait_for_growth() const {
    const auto before = target.effects();
    INFO(where.replicant.output());
    REQUIRE(wait_until([&] { return target.effects() > before; }, std::chrono::seconds{60}));
  }

  /// Kills it while it has nothing to do. What it finds then makes no difference.
  void kill_idle() {
    where.drain();
    const auto before = target.effects();
    where.replicant.kill();
    where.run();
    where.drain();
    CHECK(target.effects() == before);
  }

  /// Counts: each effect of what the server has committed is there once, and nothing else.
  void finish(const std::string& origin = "0/0") {
    compare(origin);
    CHECK(target.repeated() == 0);
    CHECK(target.doubled() == 0);
  }

  /// As `finish`, of the first time that each was applied.
  void compare(const std::string& origin) {
    where.drain();
    REQUIRE(where.replicant.stop() == ending{.exit_code = 0});
    const auto file = where.replicant.path("ledger.jsonl");
    target.dump(file);
    where.right.expect_equal({file}, origin);
  }

private:
  static std::vector<std::string> with_short_timeout(std::vector<std::string> conf) {
    conf.emplace_back("wal_sender_timeout = 3s");
    return conf;
  }

  [[nodiscard]] std::vector<std::string> with_store(const ledger_options& how) const {
    auto pipeline = how.pipeline;
    if (how.store)
      pipeline.push_back("checkpoint_store = { conninfo = \"" + target.conninfo() + "\"" +
                         *how.store + " }");
    return pipeline;
  }

  pg_cluster storage_;

public:
  ledger_database target;
  scene where;
};

} // namespace replicant::test
