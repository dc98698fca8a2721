// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace replicant {

/// What has become of transactions, counted since it was told last.
struct assembly_news {
  std::uint64_t transactions = 0; ///< That have become whole.
  std::uint64_t changes = 0;      ///< Rows, truncates and messages in them.
  std::uint64_t streamed = 0;     ///< That were taken while open and are committed, empty ones too.
  std::uint64_t rolled_back = 0;  ///< That were taken while open.
  std::uint64_t spills = 0;       ///< That have begun to spill.
  std::uint64_t spill_written = 0; ///< Bytes that went to disk.

  assembly_news& operator+=(const assembly_news& more) {
    transactions += more.transactions;
    changes += more.changes;
    streamed += more.streamed;
    rolled_back += more.rolled_back;
    spills += more.spills;
    spill_written += more.spill_written;
    return *this;
  }

  friend bool operator==(const assembly_news&, const assembly_news&) = default;
};

} // namespace replicant
