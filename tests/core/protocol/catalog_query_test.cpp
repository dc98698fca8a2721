// SPDX-License-Identifier: MIT
#include "replicant/core/model/session_settings.hpp"
#include "replicant/core/protocol/catalog_query.hpp"
#include "replicant/core/protocol/sql_quoting.hpp"

#include <catch2/catch.hpp>

#include <vector>

using namespace replicant;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("every pinned setting is set and read back where the server knows it",
          "[protocol][unit]") {
  for (const std::uint32_t version : {140000U, 160000U, 170000U}) {
    const auto pin = pin_settings_query(version);
    const auto read = read_settings_query(version);
    CHECK(contains(pin, "set_config('client_encoding', CASE pg_catalog.current_setting("
                        "'server_encoding') WHEN 'SQL_ASCII' THEN 'SQL_ASCII' ELSE 'UTF8' END"));
    CHECK(contains(read, R"(THEN 'UTF8' END AS "client_encoding")"));
    for (const auto& setting : pinned_settings) {
      if (setting.name == "client_encoding")
        continue;
      const auto known = version >= setting.since_version;
      const auto name = quote_literal(setting.name);
      CHECK(contains(pin, "set_config(" + name + ", " + quote_literal(setting.value) +
                            ", false)") == known);
      CHECK(contains(read, "current_setting(" + name + ") AS " + quote_identifier(setting.name)) ==
            known);
    }
  }
}

TEST_CASE("a slot is looked up with the columns that the server has", "[protocol][unit]") {
  CHECK(contains(slot_query("o'x", 140000), "slot_name = 'o''x'"));
  CHECK(contains(slot_query("s", 140000), "wal_status"));
  CHECK_FALSE(contains(slot_query("s", 150000), "conflicting"));
  CHECK(contains(slot_query("s", 160000), "conflicting"));
  CHECK_FALSE(contains(slot_query("s", 160000), "invalidation_reason"));
  CHECK_FALSE(contains(slot_query("s", 160000), "synced"));
  CHECK(contains(slot_query("s", 170000), "invalidation_reason"));
  CHECK(contains(slot_query("s", 170000), "synced AND pg_catalog.pg_is_in_recovery()"));
}

TEST_CASE("tables are looked up by publication, and keys by table", "[protocol][unit]") {
  const std::vector<std::string> names{"a", "b'c"};
  const auto tables = published_tables_query(names);
  CHECK(contains(tables, "FROM pg_catalog.pg_publication_tables"));
  CHECK(contains(tables, "pubname = ANY (ARRAY['a','b''c']::pg_catalog.name[])"));
  CHECK(contains(primary_key_query(4294967295), "i.indisprimary AND i.indrelid = 4294967295"));
}

TEST_CASE("publications are counted by exact name", "[protocol][unit]") {
  const std::vector<std::string> names{"a", "b'c"};
  CHECK(contains(count_publications_query(names), "ARRAY['a','b''c']::pg_catalog.name[]"));
  CHECK(contains(count_publications_query({}), "ARRAY[]::pg_catalog.name[]"));
}
