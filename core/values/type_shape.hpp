// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>

namespace replicant {

/// How a type's values are built.
enum class type_kind : std::uint8_t {
  scalar,
  array,
  range,
  multirange,
  composite,
};

/// What has to be known of a type to read its values, domains already replaced by their base type.
struct type_shape {
  type_kind kind = type_kind::scalar;
  /// Of a scalar: OID of the built-in type that its values read as, in text and in binary form. An
  /// enum, or an extension's type whose binary form is its text, reads as `text` (25). 0: its text
  /// can be passed on, its binary form is unknown.
  std::uint32_t reads_as = 0;
  /// Of an array its elements, of a range its bounds, of a multirange its ranges; otherwise null.
  std::shared_ptr<const type_shape> element{};
  char delimiter = ','; ///< Between elements in an array's text form (pg_type.typdelim of them).
  /// Of a composite: the types of its attributes that are not built in, by OID.
  std::map<std::uint32_t, std::shared_ptr<const type_shape>> attributes{};

  /// Of a composite: the shape of an attribute's type, null when it is neither built in nor known.
  [[nodiscard]] std::shared_ptr<const type_shape> attribute(std::uint32_t oid) const;
};

/// The shape of a type that PostgreSQL is born with: its OID is the same everywhere. Null for any
/// other.
[[nodiscard]] std::shared_ptr<const type_shape> built_in_type(std::uint32_t oid);

} // namespace replicant
