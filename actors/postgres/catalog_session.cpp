// SPDX-License-Identifier: MIT
#include "replicant/actors/postgres/catalog_session.hpp"

#include "replicant/actors/postgres/connect.hpp"
#include "replicant/core/protocol/catalog_query.hpp"

namespace replicant::postgres {

namespace {

/// A catalog query that takes longer is a dead connection.
constexpr std::chrono::seconds patience{10};

} // namespace

result<rows> catalog_session::ask(const std::string& query) {
  // One that has idled for long may have been broken without our knowing.
  if (session_)
    if (auto answer = session_->query(query, in(patience)))
      return answer;
  session_.reset();
  if (auto opened = open(); !opened)
    return failure(opened.error());
  return session_->query(query, in(patience));
}

result<void> catalog_session::open() {
  const auto where = conninfo::parse(conninfo_);
  if (!where)
    return failure(where.error());
  auto opened = connect(*where, session_kind::ordinary, stop_);
  if (!opened)
    return failure(opened.error());
  // It idles between two questions: no time-out of the server may end it.
  const auto pinned =
    opened->session.query(pin_settings_query(opened->session.server_version()), in(patience));
  if (!pinned)
    return failure(pinned.error());
  session_.emplace(std::move(opened->session));
  return {};
}

} // namespace replicant::postgres
