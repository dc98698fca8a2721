// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/result.hpp"
#include "replicant/core/values/type_shape.hpp"

#include <cstdint>
#include <memory>

namespace replicant {

/// Knows the types of a source by OID. Asked once for each that occurs, so that nothing else in the
/// source's catalog can matter.
class type_catalog {
public:
  virtual ~type_catalog() = default;

  /// The shape of a type; a scalar that reads as nothing known when the source has no such type
  /// (any more). May block.
  /// @fault when the source cannot be asked now; asking again later is worth while.
  [[nodiscard]] virtual result<std::shared_ptr<const type_shape>> find(std::uint32_t oid) = 0;
};

} // namespace replicant
