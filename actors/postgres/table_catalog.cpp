// SPDX-License-Identifier: MIT
#include "replicant/actors/postgres/table_catalog.hpp"

#include "replicant/actors/postgres/connect.hpp"
#include "replicant/core/protocol/replication_command.hpp"

namespace replicant::postgres {

namespace {

constexpr std::chrono::seconds patience{10};

std::string text_of(const rows& answer, std::size_t row, std::string_view column) {
  return std::string{answer.text(row, column).value_or(std::string_view{})};
}

} // namespace

result<std::vector<table_name>>
table_catalog::published(std::span<const std::string> publications) {
  const auto answer = ask(published_tables_query(publications));
  if (!answer)
    return failure(answer.error());
  std::vector<table_name> tables;
  for (std::size_t row = 0; row < answer->count(); ++row)
    tables.push_back({text_of(*answer, row, "schema"), text_of(*answer, row, "name")});
  return tables;
}

result<std::vector<std::string>> table_catalog::primary_key(std::uint32_t table) {
  const auto answer = ask(primary_key_query(table));
  if (!answer)
    return failure(answer.error());
  std::vector<std::string> columns;
  for (std::size_t row = 0; row < answer->count(); ++row)
    columns.push_back(text_of(*answer, row, "name"));
  return columns;
}

result<rows> table_catalog::ask(const std::string& query) {
  // The server may have ended a session that was used before.
  if (session_)
    if (auto answer = session_->query(query, in(patience)))
      return answer;
  session_.reset();
  if (auto opened = connect(); !opened)
    return failure(opened.error());
  return session_->query(query, in(patience));
}

result<void> table_catalog::connect() {
  const auto where = conninfo::parse(conninfo_);
  if (!where)
    return failure(where.error());
  auto opened = postgres::connect(*where, session_kind::ordinary, &stop_);
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
