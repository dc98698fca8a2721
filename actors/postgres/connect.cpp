// SPDX-License-Identifier: MIT
#include "replicant/actors/postgres/connect.hpp"

#include "replicant/core/delivery/start_plan.hpp"
#include "replicant/core/protocol/catalog_query.hpp"

#include <algorithm>

namespace replicant::postgres {

namespace {

/// For a question that comes with connecting.
constexpr std::chrono::seconds patience{5};

bool writes_too_little(connection& session) {
  const auto set = session.query(server_settings_query(), in(patience));
  return set && set->text(0, "wal_level") == "minimal";
}

/// What a refused replication connection lacks, by what becomes of an ordinary one.
fault examine(fault refused, parameters to, const interrupt_flag* stop) {
  const auto about_rights = refused.why == reason::permission_denied;
  if (!about_rights && refused.why != reason::connections_exhausted)
    return refused;
  to.erase("replication");
  auto ordinary = connection::open(to, stop, in(patience));
  if (about_rights && ordinary)
    refused.why = reason::replication_right_missing;
  else if (about_rights && ordinary.error().why == reason::permission_denied)
    refused.why = reason::connect_right_missing;
  // Such a server has no walsenders at all.
  else if (!about_rights && ordinary && writes_too_little(*ordinary))
    refused.why = reason::wal_level_insufficient;
  return refused;
}

} // namespace

result<reached> connect(const conninfo& where, session_kind kind, const interrupt_flag* stop,
                        deadline until) {
  const auto patience_each = where.connect_timeout();
  result<reached> outcome = failure(reason::server_unavailable);
  for (auto& candidate : where.candidates(kind)) {
    const auto own = patience_each.count() == 0 ? never : in(patience_each);
    auto session = connection::open(candidate, stop, std::min(own, until));
    if (session)
      return reached{std::move(*session), std::move(candidate)};
    const auto& refused = session.error();
    outcome =
      failure(kind == session_kind::replication ? examine(refused, candidate, stop) : refused);
    if (disposition_of(outcome.error().why) != disposition::retry)
      break;
  }
  return outcome;
}

result<connection> connect_ordinary(const std::string& conninfo, const interrupt_flag* stop,
                                    deadline until) {
  const auto where = conninfo::parse(conninfo);
  if (!where)
    return failure(where.error());
  auto found = connect(*where, session_kind::ordinary, stop, until);
  if (!found)
    return failure(found.error());
  auto& session = found->session;
  if (auto supported = judge_version(session.server_version()); !supported)
    return failure(supported.error());
  const auto pinned =
    session.query(pin_settings_query(session.server_version()), std::min(until, in(patience)));
  if (!pinned)
    return failure(pinned.error());
  return std::move(session);
}

} // namespace replicant::postgres
