// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/assembly/assembly_news.hpp"
#include "replicant/core/assembly/open_transaction.hpp"
#include "replicant/core/assembly/spill.hpp"
#include "replicant/core/model/result.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace replicant {

/// Bounds what open transactions hold in memory: decides what leaves it, and when.
///
/// They may have half of the credit, so that the other half can deliver what is whole: at more the
/// largest is spilled, and the next largest, until the rest fits. Where nothing may be spilled they
/// may have all of it.
class open_memory {
public:
  /// `limit` is the credit, in bytes; `area` is null where nothing may be spilled.
  open_memory(std::uint64_t limit, std::shared_ptr<spill_area> area)
    : limit_{limit}, area_{std::move(area)} {}

  /// Makes room if there is need, and counts what was spilled.
  /// @fault transaction_too_large: nothing may be spilled, and more than one row is too much;
  /// spill_exhausted, spill_io_failed: as spill_file.
  [[nodiscard]] result<void> make_room(std::span<open_transaction* const> open,
                                       assembly_news& news) const;

private:
  [[nodiscard]] result<void> judge_unspilled(std::span<open_transaction* const> open) const;
  [[nodiscard]] bool waits_for_delivery(std::span<open_transaction* const> open,
                                        std::uint64_t resident) const;

  std::uint64_t limit_;
  std::shared_ptr<spill_area> area_;
};

/// Bytes that open transactions hold in memory.
[[nodiscard]] std::uint64_t resident_bytes(std::span<open_transaction* const> open);

} // namespace replicant
