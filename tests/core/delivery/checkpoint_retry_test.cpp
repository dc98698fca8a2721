// SPDX-License-Identifier: MIT
#include "replicant/core/delivery/checkpoint_retry.hpp"

#include <catch2/catch.hpp>

using namespace replicant;

TEST_CASE("a store is tried again as often as allowed, for what time cures", "[delivery][unit]") {
  const checkpoint_retry twice{.max_retries = 2};
  const fault lost{.why = reason::connection_lost};
  CHECK(twice.tries_again(lost, 1));
  CHECK(twice.tries_again(lost, 2));
  CHECK_FALSE(twice.tries_again(lost, 3));
  CHECK(twice.tries_again({.why = reason::command_failed}, 1));
  CHECK_FALSE(twice.tries_again({.why = reason::permission_denied}, 1));
  CHECK_FALSE(twice.tries_again({.why = reason::checkpoint_changed}, 1));
  CHECK_FALSE(checkpoint_retry{.max_retries = 0}.tries_again(lost, 1));
}

TEST_CASE("a fault of a store tells the store's part and what it gave", "[delivery][unit]") {
  const auto told = store_fault({.why = reason::command_failed, .code = sqlstate{"23514"}});
  CHECK(to_string(told) == "checkpoint_store_failed sqlstate=23514 cause=command_failed");
  for (const auto why : {reason::checkpoint_changed, reason::checkpoint_store_mismatch,
                         reason::checkpoint_store_failed})
    CHECK(store_fault({.why = why}).why == why);
}
