// SPDX-License-Identifier: MIT
#include "replicant/actors/readable.hpp"

#include <catch2/catch.hpp>

#include <cerrno>

using namespace replicant;

TEST_CASE("sizes are readable", "[actors][unit]") {
  CHECK(readable_size(0) == "0 B");
  CHECK(readable_size(1023) == "1023 B");
  CHECK(readable_size(1536) == "1.5 KiB");
  CHECK(readable_size(std::uint64_t{32} << 20U) == "32.0 MiB");
  CHECK(readable_size(UINT64_MAX) == "16.0 EiB");
}

TEST_CASE("progress is told with decimals only where they matter", "[actors][unit]") {
  CHECK(readable_progress({.transactions_per_second = 0.26,
                           .changes_per_second = 48210.7,
                           .lag_bytes = 1536,
                           .lag = std::chrono::seconds{3}}) ==
        "0.3 transactions/s, 48210 rows/s, lag 1.5 KiB, 3 s");
}

TEST_CASE("a lag is told in seconds only where they are known", "[actors][unit]") {
  CHECK(readable_progress({.lag_bytes = 7}) == "0.0 transactions/s, 0.0 rows/s, lag 7 B");
}

TEST_CASE("server versions are written as PostgreSQL writes them", "[actors][unit]") {
  CHECK(readable_server_version(150018) == "15.18");
  CHECK(readable_server_version(0) == "unknown");
}

TEST_CASE("an errno is told in the system's words", "[actors][unit]") {
  CHECK(readable_system_error({.why = reason::sink_failed}).empty());
  CHECK(readable_system_error(
          {.why = reason::sink_failed, .facts = {{{}, {fact_kind::error_number, ENOSPC}}}}) ==
        "No space left on device");
}

TEST_CASE("a fault is told with its cause, its meaning and its cure", "[actors][unit]") {
  const fault full{.why = reason::sink_failed, .facts = {{{}, {fact_kind::error_number, ENOSPC}}}};
  CHECK(readable_fault(full) ==
        "sink_failed errno=28 (No space left on device): " + std::string{explain(full)});
  const fault bare{.why = reason::connection_lost};
  CHECK(readable_fault(bare) == "connection_lost: " + explain(bare));
}

TEST_CASE("a text from elsewhere cannot act on a terminal", "[actors][unit]") {
  CHECK(printable("caf\u00e9 \u65e5") == "caf\u00e9 \u65e5");
  CHECK(printable("a\n\x1b[2J\x7f") == "a??[2J?");
  CHECK(printable("\u009b31m") == "?31m");
  CHECK(printable("\u202eab\u200b") == "?ab?");
  CHECK(printable("caf\xe9") == "caf?");
}
