// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/assembly/chunk.hpp"
#include "replicant/core/delivery/watermark.hpp"
#include "replicant/core/model/transaction.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace replicant {

/// Something a sink is given in order: a transaction, or a message that stands outside of
/// transactions.
using delivery_item = std::variant<transaction, logical_message>;

/// Where the item's record starts: its identity and order.
[[nodiscard]] inline lsn position_of(const delivery_item& item) {
  const auto* txn = std::get_if<transaction>(&item);
  return txn != nullptr ? txn->commit_lsn : std::get<logical_message>(item).at;
}

/// Everything that one chunk completed, in commit order: answered by one `durable`.
struct delivery {
  std::vector<delivery_item> items;
  std::optional<watermark> frontier;   ///< Reached beyond the last item, over traffic without one.
  watermark reached{};                 ///< What is promised once all of this is durable.
  std::uint64_t charged_bytes = 0;     ///< To be released with it.
  std::shared_ptr<const chunk> source; ///< Keeps views in `items` alive.

  [[nodiscard]] bool empty() const { return items.empty() && !frontier; }
};

} // namespace replicant
