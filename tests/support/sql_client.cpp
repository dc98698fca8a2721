// SPDX-License-Identifier: MIT
#include "replicant/tests/support/sql_client.hpp"

#include "replicant/core/model/lsn.hpp"

#include <libpq-fe.h>

#include <memory>
#include <stdexcept>
#include <utility>

namespace replicant::test {

sql_client::sql_client(const std::string& conninfo) : connection_{PQconnectdb(conninfo.c_str())} {
  if (PQstatus(connection_) == CONNECTION_OK) {
    PQsetNoticeProcessor(
      connection_, [](void*, const char*) {}, nullptr);
    return;
  }
  const std::string why{PQerrorMessage(connection_)};
  PQfinish(connection_);
  throw std::runtime_error{why};
}

sql_client::sql_client(sql_client&& other) noexcept
  : connection_{std::exchange(other.connection_, nullptr)} {}

sql_client& sql_client::operator=(sql_client&& other) noexcept {
  std::swap(connection_, other.connection_);
  return *this;
}

sql_client::~sql_client() {
  PQfinish(connection_);
}

std::vector<sql_client::row> sql_client::exec(const std::string& sql) {
  const std::unique_ptr<PGresult, decltype(&PQclear)> answer{PQexec(connection_, sql.c_str()),
                                                             &PQclear};
  const auto status = PQresultStatus(answer.get());
  if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK)
    throw std::runtime_error{sql + ": " + PQerrorMessage(connection_)};
  std::vector<row> all;
  for (int index = 0; index < PQntuples(answer.get()); ++index) {
    auto& one = all.emplace_back();
    for (int column = 0; column < PQnfields(answer.get()); ++column)
      if (PQgetisnull(answer.get(), index, column) != 0)
        one.emplace_back();
      else
        one.emplace_back(PQgetvalue(answer.get(), index, column));
  }
  return all;
}

std::string sql_client::value(const std::string& sql) {
  const auto all = exec(sql);
  return all.empty() || all[0].empty() ? std::string{} : all[0][0].value_or("");
}

std::uint64_t sql_client::position(const std::string& sql) {
  return parse_lsn(value(sql)).value_or(lsn{}).value();
}

void sql_client::start(const std::string& sql) {
  if (PQsendQuery(connection_, sql.c_str()) == 0)
    throw std::runtime_error{PQerrorMessage(connection_)};
}

bool sql_client::answers(const std::string& conninfo) {
  return PQping(conninfo.c_str()) == PQPING_OK;
}

int sql_client::process_id() const {
  return PQbackendPID(connection_);
}

} // namespace replicant::test
