// SPDX-License-Identifier: MIT
#include "replicant/tests/integration/shop_rows.hpp"

#include "replicant/tests/support/wait_until.hpp"

#include <nlohmann/json.hpp>

#include <sstream>

namespace replicant::test {

namespace {

constexpr std::chrono::seconds patience{60};

} // namespace

void make_table(const pg_cluster& server) {
  server.exec("CREATE TABLE t (id bigserial PRIMARY KEY); CREATE PUBLICATION shop FOR TABLE t");
}

void write_rows(const pg_cluster& server, int count) {
  auto session = server.client();
  for (int i = 0; i < count; ++i)
    session.exec("INSERT INTO t DEFAULT VALUES");
}

std::vector<std::string> rows_of(const std::string& content) {
  std::vector<std::string> rows;
  std::istringstream lines{content};
  for (std::string line; std::getline(lines, line) && !lines.eof();)
    if (const auto one = nlohmann::json::parse(line); one.at("kind") == "change")
      rows.push_back(one.at("record").at("id").dump());
  return rows;
}

std::vector<std::string> rows_of(const pg_cluster& server) {
  std::vector<std::string> rows;
  for (const auto& row : server.exec("SELECT id FROM t ORDER BY id"))
    rows.push_back(row.at(0).value());
  return rows;
}

bool streams(program& replicant) {
  return wait_until([&] { return replicant.is("streaming") || !replicant.running(); }, patience) &&
         replicant.running();
}

bool holds(const program& replicant, std::size_t count) {
  return wait_until([&] { return rows_of(replicant.content()).size() >= count; }, patience);
}

std::string slots_of(const pg_cluster& server) {
  return server.client().value("SELECT string_agg((to_jsonb(s) - '{active,active_pid,safe_wal_size,"
                               "wal_status}'::text[])::text, ' ' ORDER BY slot_name) FROM "
                               "pg_replication_slots s");
}

} // namespace replicant::test
