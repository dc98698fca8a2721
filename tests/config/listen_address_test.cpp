// SPDX-License-Identifier: MIT
#include "replicant/config/listen_address.hpp"

#include <catch2/catch.hpp>

using namespace replicant;

TEST_CASE("an address to listen on is a host and a port", "[config][unit]") {
  CHECK(parse_listen_address("127.0.0.1:9187") == listen_address{"127.0.0.1", 9187});
  CHECK(parse_listen_address("db-1.example_net:1") == listen_address{"db-1.example_net", 1});
  CHECK(parse_listen_address("[::1]:65535") == listen_address{"::1", 65535});
  CHECK(parse_listen_address("[fe80::1%eth0]:9187") == listen_address{"fe80::1%eth0", 9187});
  for (const auto* text : {"", ":", "a", "a:", ":1", "a:0", "a:65536", "a:1x", "a: 1", "a:-1",
                           "::1:9187", "[::1:9187", "::1]:9187", "[]:1", "[a]:1", "a b:1", "a/b:1"})
    CHECK_FALSE(parse_listen_address(text));
}

TEST_CASE("an address is written as it is read", "[config][unit]") {
  for (const auto* text : {"127.0.0.1:9187", "localhost:1", "[::1]:9187"})
    CHECK(to_string(parse_listen_address(text).value()) == text);
}
