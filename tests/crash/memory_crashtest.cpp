// SPDX-License-Identifier: MIT
#include "replicant/tests/crash/scene.hpp"
#include "replicant/tests/support/environment.hpp"

#include <catch2/catch.hpp>

#include <iostream>

using namespace replicant::test;

TEST_CASE("memory does not grow with the number of rows", "[crash][memory]") {
#ifdef __SANITIZE_ADDRESS__
  WARN("SKIPPED: the address sanitizer keeps freed memory");
  return;
#endif
  // By hand with REPLICANT_MEMORY_ROWS=1000000.
  const auto rows = number_from_environment("REPLICANT_MEMORY_ROWS", 100'000);
  // What may wait for the sink is bounded apart from the rows; little, so that it is always
  // reached.
  scene where{{.pipeline = {"max_inflight_lag = \"1MiB\""}}};
  where.server.exec("CREATE PROCEDURE fill(n int) LANGUAGE plpgsql AS $$ BEGIN "
                    "FOR i IN 1..n / 500 LOOP INSERT INTO events SELECT g, 'a row of some length ' "
                    "|| g FROM generate_series(1, 500) g; COMMIT; END LOOP; END $$");
  where.run();
  where.server.exec("CALL fill(" + std::to_string(rows) + ")");
  where.drain();
  const auto early = peak_memory(where.replicant.id());
  where.server.exec("CALL fill(" + std::to_string(4 * rows) + ")");
  where.drain();
  const auto late = peak_memory(where.replicant.id());
  std::cout << "peak memory after " << rows << " rows: " << early << " KiB, after " << 5 * rows
            << ": " << late << " KiB\n";
  CHECK(late <= early + 4096);
  REQUIRE(where.replicant.stop() == ending{.exit_code = 0});
}
