// SPDX-License-Identifier: MIT
#include "replicant/actors/postgres/slot_session.hpp"

#include "replicant/actors/postgres/connect.hpp"
#include "replicant/actors/postgres/source_facts.hpp"
#include "replicant/core/protocol/catalog_query.hpp"

namespace replicant::postgres {

namespace {

/// People wait for the answer.
constexpr std::chrono::seconds patience{20};

} // namespace

result<slot_session> slot_session::open(const std::string& conninfo) {
  auto session = connect_ordinary(conninfo, nullptr);
  if (!session)
    return failure(session.error());
  return slot_session{std::move(*session)};
}

result<slot_report> slot_session::report(std::string_view slot) {
  const auto server = session_.query(server_position_query(), in(patience));
  if (!server)
    return failure(server.error());
  const auto found = session_.query(slot_query(slot, session_.server_version()), in(patience));
  if (!found)
    return failure(found.error());
  const auto position = parse_lsn(server->text(0, "position").value_or(std::string_view{}));
  return slot_report{.database = std::string{server->text(0, "database").value_or("")},
                     .wal_position = position.value_or(lsn{}),
                     .slot = slot_of(*found, slot)};
}

result<void> slot_session::drop(std::string_view slot) {
  const auto dropped = session_.query(drop_slot_query(slot), in(patience));
  return dropped ? result<void>{} : failure(dropped.error());
}

result<source_facts> identify_source(const std::string& conninfo, std::string_view slot) {
  const auto where = conninfo::parse(conninfo);
  if (!where)
    return failure(where.error());
  auto found = connect(*where, session_kind::replication, nullptr, in(patience));
  if (!found)
    return failure(found.error());
  return read_facts(found->session, slot, {});
}

} // namespace replicant::postgres
