// SPDX-License-Identifier: MIT
#include "replicant/core/protocol/replication_command.hpp"

#include "replicant/core/protocol/sql_quoting.hpp"

namespace replicant {

namespace {

constexpr std::uint32_t version_15 = 150000;

std::string_view slot_options(slot_lifetime lifetime, std::uint32_t server_version) {
  if (server_version < version_15)
    return "NOEXPORT_SNAPSHOT";
  return lifetime == slot_lifetime::failover ? "(SNAPSHOT 'nothing', FAILOVER)"
                                             : "(SNAPSHOT 'nothing')";
}

} // namespace

std::string identify_system_command() {
  return "IDENTIFY_SYSTEM";
}

std::string timeline_history_command(std::uint32_t timeline) {
  return "TIMELINE_HISTORY " + std::to_string(timeline);
}

std::string create_slot_command(std::string_view slot, slot_lifetime lifetime,
                                std::uint32_t server_version) {
  const auto* const temporary = lifetime == slot_lifetime::temporary ? " TEMPORARY" : "";
  return "CREATE_REPLICATION_SLOT " + quote_identifier(slot) + temporary + " LOGICAL pgoutput " +
         std::string{slot_options(lifetime, server_version)};
}

std::string start_replication_command(const stream_request& what) {
  // publication_names is a list of identifiers inside a string.
  auto command = "START_REPLICATION SLOT " + quote_identifier(what.slot) + " LOGICAL " +
                 to_string(what.from) + R"( ("proto_version" )" + (what.streaming ? "'2'" : "'1'") +
                 R"(, "publication_names" )" +
                 quote_literal(quoted_list(what.publications, quote_identifier));
  if (what.streaming)
    command += R"(, "streaming" 'on')";
  if (what.messages)
    command += R"(, "messages" 'true')";
  if (what.binary)
    command += R"(, "binary" 'true')";
  return command + ')';
}

} // namespace replicant
