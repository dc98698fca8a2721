// SPDX-License-Identifier: MIT
#include "replicant/core/model/session_settings.hpp"
#include "replicant/core/protocol/replication_command.hpp"

#include <catch2/catch.hpp>

#include <vector>

using namespace replicant;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("a name is quoted whatever it holds", "[protocol][unit]") {
  CHECK(quote_identifier("plain") == R"("plain")");
  CHECK(quote_identifier("Two Words") == R"("Two Words")");
  CHECK(quote_identifier(R"(a"b)") == R"("a""b")");
  CHECK(quote_identifier("übung,1") == R"("übung,1")");
}

TEST_CASE("a string constant doubles quotes and leaves backslashes alone", "[protocol][unit]") {
  CHECK(quote_literal("it's") == "'it''s'");
  CHECK(quote_literal(R"(\)") == R"('\')");
  CHECK(quote_literal("") == "''");
}

TEST_CASE("a slot is made without a snapshot, in the grammar of the server", "[protocol][unit]") {
  CHECK(create_slot_command("s", slot_lifetime::permanent, 140011) ==
        R"(CREATE_REPLICATION_SLOT "s" LOGICAL pgoutput NOEXPORT_SNAPSHOT)");
  CHECK(create_slot_command("s", slot_lifetime::permanent, 150000) ==
        R"(CREATE_REPLICATION_SLOT "s" LOGICAL pgoutput (SNAPSHOT 'nothing'))");
  CHECK(create_slot_command("s", slot_lifetime::temporary, 140011) ==
        R"(CREATE_REPLICATION_SLOT "s" TEMPORARY LOGICAL pgoutput NOEXPORT_SNAPSHOT)");
  CHECK(create_slot_command("s", slot_lifetime::temporary, 150000) ==
        R"(CREATE_REPLICATION_SLOT "s" TEMPORARY LOGICAL pgoutput (SNAPSHOT 'nothing'))");
}

TEST_CASE("publications are a list of identifiers inside a string", "[protocol][unit]") {
  const std::vector<std::string> names{"p", "Shop,Pub", R"(a"b)", "it's"};
  CHECK(start_replication_command({.slot = "s", .from = lsn{0x16E3779}, .publications = names}) ==
        R"(START_REPLICATION SLOT "s" LOGICAL 0/16E3779 ("proto_version" '1', )"
        R"("publication_names" '"p","Shop,Pub","a""b","it''s"'))");
}

TEST_CASE("logical messages are asked for only on request", "[protocol][unit]") {
  const std::vector<std::string> names{"p"};
  const auto with = start_replication_command(
    {.slot = "s", .from = lsn{}, .publications = names, .messages = true});
  CHECK(with == R"(START_REPLICATION SLOT "s" LOGICAL 0/0 ("proto_version" '1', )"
                R"("publication_names" '"p"', "messages" 'true'))");
}

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
  CHECK(contains(slot_query("s", 170000), "invalidation_reason"));
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
