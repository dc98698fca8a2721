// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/delivery/chunk.hpp"
#include "replicant/core/delivery/watermark.hpp"
#include "replicant/core/model/relation.hpp"
#include "replicant/core/model/schema_change.hpp"
#include "replicant/core/model/transaction.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace replicant {

/// Something a sink is given in order: a transaction, a message that stands outside of
/// transactions, and, before the transaction that shows it, how a table has changed and in which
/// shape its rows come for the first time.
using delivery_item =
  std::variant<transaction, logical_message, std::shared_ptr<const schema_change>,
               std::shared_ptr<const relation>>;

/// What is promised once the item is durable. A message tells where its record ends, and the next
/// commit record may start exactly there. What is told of tables promises nothing.
[[nodiscard]] inline watermark promised_by(const delivery_item& item) {
  if (const auto* txn = std::get_if<transaction>(&item))
    return watermark::through(txn->commit_lsn);
  const auto* message = std::get_if<logical_message>(&item);
  return message != nullptr ? watermark::before(message->at) : watermark{};
}

/// Everything that one chunk completed, in commit order: answered by one `durable`.
struct delivery {
  std::vector<delivery_item> items;
  std::optional<watermark> frontier;   ///< Reached beyond the last transaction.
  watermark reached{};                 ///< What is promised once all of this is durable.
  std::uint64_t charged_bytes = 0;     ///< To be released with it.
  std::uint64_t spilled_bytes = 0;     ///< On disk, of its transactions: released before.
  std::shared_ptr<const chunk> source; ///< Keeps views in `items` alive.

  [[nodiscard]] bool empty() const { return items.empty() && !frontier; }
};

} // namespace replicant
