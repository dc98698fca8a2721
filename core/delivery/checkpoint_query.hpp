// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/delivery/state_entry.hpp"
#include "replicant/core/model/lsn.hpp"
#include "replicant/core/model/session_identity.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

/// Every statement of SQL that is sent to the server of a checkpoint store. Each is one statement,
/// so that it is one transaction and one round trip; but for the one that makes the tables.
namespace replicant {

/// The two tables of a checkpoint store, qualified and quoted.
struct checkpoint_tables {
  std::string positions; ///< One row per slot.
  std::string state;     ///< What is remembered beside the position: rows per slot.

  friend bool operator==(const checkpoint_tables&, const checkpoint_tables&) = default;
};

/// @param table name, or schema and name, as they are; without a schema it is in public.
[[nodiscard]] checkpoint_tables checkpoint_tables_of(std::string_view table);

/// Sets what a store relies on for the session, whatever the role says: commits that are on disk
/// when they return, transactions that may write, an end to every wait, and no policy that hides a
/// row. Column `standby`: whether this server cannot be written.
[[nodiscard]] std::string checkpoint_session_query();

/// One row for each of the two tables that exists. Columns: `part`, positions or state; `fits`,
/// whether it has the columns and the key that we make. Columns of others are fine as long as a row
/// may be written without them.
[[nodiscard]] std::string probe_checkpoint_query(const checkpoint_tables& tables);

/// Makes what is missing. Those who do it at once wait for each other.
[[nodiscard]] std::string create_checkpoint_query(const checkpoint_tables& tables);

/// Columns commit_lsn, system_identifier, database, updated_at; and of each entry of its state name
/// and content. No row when there is none for the slot; without state one row with NULL for both.
[[nodiscard]] std::string read_checkpoint_query(const checkpoint_tables& tables,
                                                std::string_view slot);

/// Makes the slot's row without a position; one that is there stays as it is.
[[nodiscard]] std::string add_checkpoint_query(const checkpoint_tables& tables,
                                               const session_identity& source);

/// Raises the slot's position and stores, with it, the entries that changed, no two of one name.
/// Column `rows`: 1, or 0 when the row is gone or its position higher, and then nothing is stored.
[[nodiscard]] std::string write_checkpoint_query(const checkpoint_tables& tables,
                                                 std::string_view slot, lsn reached,
                                                 std::span<const state_entry> changed);

/// The slot's row as somebody has seen it.
struct seen_checkpoint {
  lsn position{};
  std::string system_identifier;
  std::string database;

  friend bool operator==(const seen_checkpoint&, const seen_checkpoint&) = default;
};

/// Puts `now` in the place of `before`, or makes the row when there was none. The state goes when
/// the source is another one, whose OIDs mean other tables, and when the position goes back, to
/// rows of earlier shapes; otherwise the timeline alone, which led to another position. Column
/// `rows`: 1, also when `now` is there already; 0 when the row is not as it was seen, so gone.
[[nodiscard]] std::string replace_checkpoint_query(const checkpoint_tables& tables,
                                                   std::string_view slot,
                                                   const std::optional<seen_checkpoint>& before,
                                                   const seen_checkpoint& now);

/// Removes the slot's row and state. Column `rows`: 0 when it is not as it was seen.
[[nodiscard]] std::string forget_checkpoint_query(const checkpoint_tables& tables,
                                                  std::string_view slot,
                                                  const seen_checkpoint& before);

} // namespace replicant
