// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

/// Every statement of SQL that is sent to the source, in a walsender's session or an ordinary one.
namespace replicant {

/// Sets every pinned setting that this server knows, for the session. Where the database is
/// SQL_ASCII, client_encoding is that too: bytes of every kind come as they are.
[[nodiscard]] std::string pin_settings_query(std::uint32_t server_version);

/// Reads the pinned settings back: one column each, in the order of `pinned_settings`, without
/// those that this server does not know. client_encoding shows as pinned when it is what
/// `pin_settings_query` makes it.
[[nodiscard]] std::string read_settings_query(std::uint32_t server_version);

/// Column `found`: how many of the (distinct) names exist.
[[nodiscard]] std::string count_publications_query(std::span<const std::string> names);

/// Columns `schema` and `name`: every table that is published, as the stream names it.
[[nodiscard]] std::string published_tables_query(std::span<const std::string> publications);

/// Column `name`: the columns of a table's primary key; no row when it has none.
[[nodiscard]] std::string primary_key_query(std::uint32_t table);

/// The slot's row, and as `holder` the application_name of the session that holds it; columns that
/// this server does not know are absent from the result.
[[nodiscard]] std::string slot_query(std::string_view slot, std::uint32_t server_version);

/// Columns `milliseconds`: wal_sender_timeout of this session; `wal_level`; and `in_recovery`.
[[nodiscard]] std::string server_settings_query();

/// The first tables, by name, that one of the publications publishes with UPDATE or DELETE and that
/// have no usable replica identity. Columns `name`, qualified and quoted, and `count` of all. The
/// server itself gives up after `patience`: it waits for tables that somebody has locked.
[[nodiscard]] std::string unidentified_tables_query(std::span<const std::string> publications,
                                                    std::size_t most,
                                                    std::chrono::milliseconds patience);

/// Column `started`: the same text on two sessions means that one server answers both.
[[nodiscard]] std::string server_instance_query();

/// What a type consists of, and those types in turn: one row for each step from a type to a part of
/// it. Columns: oid; kind (domain, array, range, multirange or composite, which may have no parts);
/// part, the OID of the part; delimiter, between such parts in an array; as_text, whether the
/// part's binary form is its text, NULL when there is no such type. The first step leads from
/// nothing to the type that was asked for.
[[nodiscard]] std::string type_query(std::uint32_t oid);

/// The slot's server as an ordinary session sees it. Columns: database, and position, where its WAL
/// ends (on a standby: what it has replayed).
[[nodiscard]] std::string server_position_query();

/// Drops the slot; the server refuses while somebody holds it.
[[nodiscard]] std::string drop_slot_query(std::string_view slot);

/// Cancels what the session of process `pid` is doing, if the user may.
[[nodiscard]] std::string cancel_query(std::uint32_t pid);

} // namespace replicant
