// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

namespace replicant {

/// Places where a test may kill, block or fail the program. Compiled in only with
/// REPLICANT_FAILPOINTS.
enum class failpoint : std::uint8_t {
  before_slot_creation,
  after_slot_creation,
  before_stream,
  before_recovery_cut, ///< The sink's file has been read, nothing cut yet.
  before_write,        ///< The sink is about to write a transaction.
  inside_transaction,  ///< Part of a transaction has been written.
  before_fsync,
  after_fsync,        ///< Durable, but nobody knows yet.
  before_next_file,   ///< A rotation begins: everything is durable.
  before_archive,     ///< The next file is whole, and the old one has its one name.
  before_replacement, ///< The old file has both names.
  after_replacement,  ///< The next file has its place, but perhaps not on disk.
  before_acknowledge,
  after_acknowledge,
};

inline constexpr std::uint8_t failpoint_count =
  static_cast<std::uint8_t>(failpoint::after_acknowledge) + 1;

/// The spelling used by REPLICANT_FAILPOINT.
[[nodiscard]] std::string_view to_string(failpoint point);

#ifdef REPLICANT_FAILPOINTS

/// What a test wants at a point: go on, or pretend that the operation there failed with this errno.
using failpoint_hook = int (*)(failpoint);

/// Installs the hook of the process; nullptr removes it.
void set_failpoint_hook(failpoint_hook hook);

/// @returns 0, or the errno that the caller has to treat as its own failure.
[[nodiscard]] int reach(failpoint point);

#else

[[nodiscard]] constexpr int reach(failpoint) {
  return 0;
}

#endif

} // namespace replicant
