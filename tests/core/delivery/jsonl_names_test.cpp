// SPDX-License-Identifier: MIT
#include "replicant/core/delivery/jsonl_names.hpp"

#include <catch2/catch.hpp>

using namespace replicant;

TEST_CASE("the name of a closed file says where it starts", "[delivery][unit]") {
  CHECK(archive_path("/f", {}) == "/f.0000000000000000");
  const auto start = watermark::through(lsn{0x1'016E'377A});
  CHECK(archive_path("/f", start) == "/f.00000001016E377A");
  CHECK(archive_start(".00000001016E377A") == start);
  CHECK(archive_start(".FFFFFFFFFFFFFFFF") == watermark::through(lsn{UINT64_MAX}));
  for (const auto* other : {"", ".", ".0", "00000001016E377A0", ".00000001016e377a",
                            ".00000001016E377", ".00000001016E377A.gz", ".-0000001016E377A"}) {
    INFO(other);
    CHECK_FALSE(archive_start(other));
  }
}

TEST_CASE("a sink keeps files of four kinds beside its own", "[delivery][unit]") {
  for (const auto& name :
       {next_path("/f"), hint_path("/f"), fresh_hint_path("/f"), archive_path("/f", {})}) {
    INFO(name);
    CHECK(is_kept_beside("/f", name));
    CHECK_FALSE(is_kept_beside("/g", name));
  }
  for (const auto* other : {"/f", "/f.log", "/f.next.next", "/g.0000000000000000", "/"})
    CHECK_FALSE(is_kept_beside("/f", other));
}
