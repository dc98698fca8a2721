// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace replicant {

/// What PostgreSQL sends of an old row (pg_class.relreplident).
enum class replica_identity : char {
  primary_key = 'd', ///< DEFAULT: the primary key, when there is one.
  nothing = 'n',
  full = 'f',
  index = 'i',
};

/// One published column, as announced by the stream.
struct column {
  std::string name;
  std::uint32_t type = 0;          ///< OID of the type.
  std::int32_t type_modifier = -1; ///< -1 for none.
  bool key = false;                ///< Part of the replica identity.

  friend bool operator==(const column&, const column&) = default;
};

/// One version of a published table's shape, as announced by the stream.
struct relation {
  std::uint32_t oid = 0;
  std::string schema; ///< pg_catalog is spelled out, though the wire sends it as "".
  std::string name;
  replica_identity identity = replica_identity::primary_key;
  std::vector<column> columns;

  friend bool operator==(const relation&, const relation&) = default;
};

} // namespace replicant
