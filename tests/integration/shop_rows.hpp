// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/tests/support/pg_cluster.hpp"
#include "replicant/tests/support/program.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace replicant::test {

/// Table "t", whose rows are numbered, and publication "shop" of it.
void make_table(const pg_cluster& server);

/// Transactions of one row each.
void write_rows(const pg_cluster& server, int count);

/// The numbers of the rows of a file, in its order.
[[nodiscard]] std::vector<std::string> rows_of(const std::string& content);

/// The numbers of the table's rows, in order.
[[nodiscard]] std::vector<std::string> rows_of(const pg_cluster& server);

/// Waits until the program streams. @returns whether it does.
[[nodiscard]] bool streams(program& replicant);

/// Waits until the program's file has at least `count` rows.
[[nodiscard]] bool holds(const program& replicant, std::size_t count);

/// What the server says of its slots, but for who is there and how much room is left.
[[nodiscard]] std::string slots_of(const pg_cluster& server);

} // namespace replicant::test
