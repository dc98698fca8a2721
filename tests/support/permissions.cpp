// SPDX-License-Identifier: MIT
#include "replicant/tests/support/permissions.hpp"

#include <fstream>
#include <iterator>

namespace replicant::test {

std::vector<std::string> permission_statements() {
  std::vector<std::string> statements;
  std::ifstream file{REPLICANT_PERMISSIONS};
  for (std::string line; std::getline(file, line);)
    if (!line.empty() && !line.starts_with("--"))
      statements.push_back(line);
  return statements;
}

std::string store_statements() {
  std::ifstream file{REPLICANT_STORE_TABLES};
  return {std::istreambuf_iterator<char>{file}, std::istreambuf_iterator<char>{}};
}

void grant_permissions(const pg_cluster& server) {
  auto client = server.client();
  client.exec("CREATE DATABASE shop");
  for (const auto& statement : permission_statements())
    client.exec(statement);
}

} // namespace replicant::test
