// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/relation.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace replicant {

/// The shapes announced on one stream, by OID. It dies with the stream: a new one announces
/// everything again.
class relation_cache {
public:
  /// Takes an announcement. A repeated one (the server sends many) keeps the object known already.
  void announce(relation shape);

  /// @returns the shape last announced for `oid`, or null.
  [[nodiscard]] const std::shared_ptr<const relation>* find(std::uint32_t oid) const;

private:
  using entry = std::shared_ptr<const relation>;

  std::vector<entry> entries_;   ///< Ascending by OID.
  mutable std::size_t last_ = 0; ///< Where the last look-up ended: rows come in runs of one table.
};

} // namespace replicant
