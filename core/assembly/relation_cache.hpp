// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/relation.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace replicant {

/// The shapes announced on one stream, by OID. It dies with the stream: a new one announces
/// everything again.
///
/// A transaction that comes in segments has announcements of its own: its rows may come in shapes
/// that nobody else sees before its commit, or ever. So the server keeps it, and announces again.
class relation_cache {
public:
  /// Takes an announcement, the `number`th of the stream. A repeated one (the server sends many)
  /// keeps the object that is known here or, as the first here, to `others`.
  void announce(relation shape, std::uint64_t number, const relation_cache& others);

  void announce(relation shape, std::uint64_t number) { announce(std::move(shape), number, *this); }

  /// Takes the announcements of a transaction that is committed, but for those of tables of which
  /// everybody was told something later: the server means that one from then on.
  void adopt(const relation_cache& committed);

  /// @returns the shape last announced for `oid`, or null.
  [[nodiscard]] const std::shared_ptr<const relation>* find(std::uint32_t oid) const;

private:
  struct entry {
    std::shared_ptr<const relation> shape;
    std::uint64_t number = 0; ///< Of its announcement.
  };

  [[nodiscard]] static std::uint32_t oid_of(const entry& one) { return one.shape->oid; }

  void put(entry latest);

  std::vector<entry> entries_;   ///< Ascending by OID.
  mutable std::size_t last_ = 0; ///< Where the last look-up ended: rows come in runs of one table.
};

} // namespace replicant
