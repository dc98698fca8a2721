// SPDX-License-Identifier: MIT
#include "replicant/tests/support/ledger_database.hpp"

#include "replicant/tests/support/ledger_sink.hpp"

#include <fstream>
#include <stdexcept>
#include <utility>

namespace replicant::test {

namespace {

/// No key and no constraint: what comes twice stays twice.
constexpr const char* tables = R"(
  CREATE TABLE ledger (
    seq bigint GENERATED ALWAYS AS IDENTITY, batch bigint DEFAULT txid_current(), line json);
  CREATE TABLE watermark (
    slot_name text PRIMARY KEY, system_identifier text NOT NULL, database text NOT NULL,
    position pg_lsn))";

/// A transaction of the source, or a lone message, is in one transaction of the sink each time: the
/// lines, and in `again` whether an earlier one had them already.
const std::string lines_again =
  "SELECT seq, line, batch > min(batch) OVER (PARTITION BY line->>'commit_lsn', line->>'lsn', "
  "line->>'transactional') AS again FROM ledger";

constexpr const char* is_effect = "line->>'kind' IN ('change', 'message')";

} // namespace

ledger_database::ledger_database(const pg_cluster& server, std::string name)
  : server_{server}, name_{std::move(name)} {
  server_.exec("CREATE DATABASE " + name_);
  exec(tables);
}

std::string ledger_database::conninfo() const {
  return server_.conninfo("user=postgres dbname=" + name_);
}

sink_factory ledger_database::sinks() const {
  return [target = conninfo()] { return ledger_sink::open(target); };
}

std::uint64_t ledger_database::effects() const {
  return std::stoull(client().value(std::string{"SELECT count(*) FROM ledger WHERE "} + is_effect));
}

std::uint64_t ledger_database::doubled() const {
  return std::stoull(client().value(
    std::string{"SELECT count(*) - count(DISTINCT (line->>'commit_lsn', line->>'lsn', "
                "line->>'ordinal')) FROM ledger WHERE "} +
    is_effect));
}

std::uint64_t ledger_database::position() const {
  return client().position("SELECT position FROM watermark");
}

std::uint64_t ledger_database::last_commit() const {
  return client().position("SELECT line->>'commit_lsn' FROM ledger WHERE line->>'kind' = 'commit' "
                           "ORDER BY seq DESC LIMIT 1");
}

std::vector<std::uint64_t> ledger_database::batches() const {
  std::vector<std::uint64_t> sizes;
  for (const auto& row : client().exec("SELECT count(*) FROM ledger WHERE line->>'kind' = 'commit' "
                                       "GROUP BY batch ORDER BY min(seq)"))
    sizes.push_back(std::stoull(row.at(0).value()));
  return sizes;
}

std::vector<std::string> ledger_database::lines(const std::string& expression,
                                                const std::string& condition) const {
  std::vector<std::string> found;
  for (const auto& row :
       client().exec("SELECT " + expression + " FROM ledger WHERE " + condition + " ORDER BY seq"))
    found.push_back(row.at(0).value_or(""));
  return found;
}

std::uint64_t ledger_database::repeated() const {
  return count_again("line->>'kind' = 'commit' OR line->>'transactional' = 'false'");
}

std::uint64_t ledger_database::repeated_transactions() const {
  return count_again("line->>'kind' = 'commit'");
}

std::uint64_t ledger_database::count_again(const std::string& condition) const {
  return std::stoull(client().value("SELECT count(*) FROM (" + lines_again +
                                    ") x WHERE again AND (" + condition + ")"));
}

void ledger_database::dump(const std::string& path) const {
  std::ofstream file{path};
  file << R"({"kind":"header","format":1,"system_identifier":"","database":"","slot_name":""})"
       << '\n';
  for (const auto& row :
       client().exec("SELECT line FROM (" + lines_again + ") x WHERE NOT again ORDER BY seq"))
    file << row.at(0).value() << '\n';
  if (!file.flush())
    throw std::runtime_error{"cannot write a dump"};
}

} // namespace replicant::test
