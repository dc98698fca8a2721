// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/relation.hpp"
#include "replicant/core/model/schema_change.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace replicant {

/// The shapes in which tables were last delivered. Unlike the cache of a stream it outlives the
/// stream, so that what was altered while nobody was connected is seen when rows come again.
///
/// A table is its OID. Of tables with the same name, one has it now; of those that have lost it the
/// latest is kept, because it may still exist under another name.
class schema_memory {
public:
  /// Whether this very object is what is known of its table, so that nothing can have changed.
  [[nodiscard]] bool knows(const std::shared_ptr<const relation>& shape) const;

  /// How rows of this shape, in the transaction at `at`, differ from what is known.
  /// @returns null when in nothing, and for a table that is new and so is its name.
  [[nodiscard]] std::shared_ptr<const schema_change>
  compare(const std::shared_ptr<const relation>& shape, lsn at) const;

  /// Takes the shape as the latest of its table. @returns the OIDs of the tables of which something
  /// else is known than before, this one and others that it has driven from the name.
  std::vector<std::uint32_t> learn(const std::shared_ptr<const relation>& shape);

  struct known_table {
    std::shared_ptr<const relation> shape;
    bool has_name = true; ///< No other table was seen under its name since.
  };

  /// What is known of a table; null for nothing.
  [[nodiscard]] const known_table* find(std::uint32_t oid) const;

  /// Takes back what `find` has told of a table.
  void restore(std::shared_ptr<const relation> shape, bool has_name);

private:
  [[nodiscard]] const known_table* find_rival(const relation& shape) const;

  std::vector<known_table> tables_; ///< Ascending by OID.
  mutable std::size_t last_ = 0;    ///< Where the last look-up ended: most ask for one table.
};

} // namespace replicant
