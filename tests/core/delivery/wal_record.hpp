// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace replicant::test {

inline constexpr std::uint32_t model_table = 16384;
inline constexpr std::uint32_t streamed_table = 16385; ///< Its shape never changes.

enum class record_kind {
  transaction,
  empty_transaction,
  message,
  unpublished,
  alteration, ///< A transaction whose row has another shape than the one before.
  open_step,  ///< A step of a long transaction: one of those below.
  open_row,
  part_rollback,
  rollback,
  open_commit,
};

/// WAL without gaps: each record starts where the one before ends, as commit records really may.
struct wal_record {
  record_kind kind;
  std::uint64_t start;
  std::uint64_t end;
  bool wide;             ///< Its row has two columns.
  std::uint32_t top = 0; ///< Of a long transaction,
  std::uint32_t sub = 0; ///< and of a subtransaction of it, or the same.
};

} // namespace replicant::test
