// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/sinks/jsonl/line_writer.hpp"
#include "replicant/core/model/result.hpp"
#include "replicant/core/model/transaction.hpp"

#include <cstddef>

namespace replicant {

/// Lines are carried away when there are this many bytes of them.
inline constexpr std::size_t piece_bytes = std::size_t{256} * 1024;

/// Turns a transaction into lines, so that one larger than memory leaves in pieces of whole lines:
/// `write_out` has to carry away what is pending.
/// @fault of `write_out`, decode_failure, or what `unreadable_events` says: the sink has to know of
/// each, because the lines that are pending are of no use then.
template <class WriteOut>
[[nodiscard]] result<void> write_transaction(line_writer& lines, const transaction& txn,
                                             WriteOut write_out) {
  lines.begin(txn);
  try {
    for (const auto& one : txn.events()) {
      if (auto done = lines.add(one); !done)
        return done;
      if (lines.pending().size() < piece_bytes)
        continue;
      if (auto done = write_out(); !done)
        return done;
    }
  } catch (const unreadable_events& lost) {
    return failure(lost.why);
  }
  lines.commit();
  return {};
}

} // namespace replicant
