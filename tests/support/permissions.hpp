// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/tests/support/pg_cluster.hpp"

#include <string>
#include <vector>

namespace replicant::test {

/// The statements of docs/permissions.sql, for role "cdc" and database "shop".
[[nodiscard]] std::vector<std::string> permission_statements();

/// Makes database "shop", and role "cdc" with what the documentation gives it.
void grant_permissions(const pg_cluster& server);

/// docs/checkpoint_store.sql: makes the tables of a checkpoint store and gives role "cdc" its
/// rights.
[[nodiscard]] std::string store_statements();

} // namespace replicant::test
