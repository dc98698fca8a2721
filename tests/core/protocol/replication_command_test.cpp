// SPDX-License-Identifier: MIT
#include "replicant/core/protocol/replication_command.hpp"

#include <catch2/catch.hpp>

#include <vector>

using namespace replicant;

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

TEST_CASE("a slot that outlives a failover is asked for as such", "[protocol][unit]") {
  CHECK(create_slot_command("s", slot_lifetime::failover, 170000) ==
        R"(CREATE_REPLICATION_SLOT "s" LOGICAL pgoutput (SNAPSHOT 'nothing', FAILOVER))");
}

TEST_CASE("the history of a timeline is asked for by its number", "[protocol][unit]") {
  CHECK(timeline_history_command(4294967295) == "TIMELINE_HISTORY 4294967295");
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

TEST_CASE("open transactions are asked for only on request, in the version that has them",
          "[protocol][unit]") {
  const std::vector<std::string> names{"p"};
  const auto with = start_replication_command(
    {.slot = "s", .from = lsn{}, .publications = names, .messages = true, .streaming = true});
  CHECK(with == R"(START_REPLICATION SLOT "s" LOGICAL 0/0 ("proto_version" '2', )"
                R"("publication_names" '"p"', "streaming" 'on', "messages" 'true'))");
}
